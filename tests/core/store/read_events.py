"""Reads streams and blocks of event texts for read_store.py, by core/store/README.md alone."""

MARK = b"\1"


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


class Stream:
    def __init__(self, content):
        self.content = content
        self.at = 0

    def byte(self):
        self.at += 1
        return self.content[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        return unzigzag(self.number())

    def text(self):
        size = self.number()
        self.at += size
        return self.content[self.at - size:self.at]

    def ref(self):
        return self.number(), self.number(), self.number()

    def many(self, read):
        return [read() for _ in range(self.number())]

    def diagnostics(self):
        return self.many(lambda: (self.text(), self.byte(), self.number(), self.text(), self.number() - 1, self.text()))


def microseconds(value, decimals):
    whole, rest = divmod(value % (1 << 64), 1000)
    return b"%d" % whole + (b"." + (b"%03d" % rest)[:decimals] if decimals else b"")


def pieces_of(shape):
    """(text before it, code, context) of each placeholder, and the text after the last."""
    pieces, literal, at = [], b"", 0
    while True:
        mark = shape.find(MARK, at)
        if mark < 0:
            return pieces, literal + shape[at:]
        literal += shape[at:mark]
        if shape[mark + 1] == 0:
            literal += MARK
        else:
            pieces.append((literal, shape[mark + 1], fnv1a(shape[max(0, mark - 12):mark]) % 4096))
            literal = b""
        at = mark + 2


def texts_of_block(stream, offset, facts):
    """Offsets and texts of the events of a block whose first one is at `offset`; `facts`: (start, duration) by offset."""
    shapes, strides, values = [], [0], {}
    before = 0
    while stream.at < len(stream.content):
        number = stream.number()
        if number == 0:
            shapes.append(pieces_of(stream.text()))
            strides.append(0)
            number = len(shapes)
        strides[before] += stream.signed()
        offset += strides[before]
        before = number - 1
        pieces, end = shapes[before]
        result = b""
        for literal, code, context in pieces:
            value = values[context] = (values.get(context, 0) + stream.signed()) % (1 << 64)
            result += literal
            if code == 1:
                result += b"%d" % value
            else:
                result += microseconds(value + facts[offset][(code - 2) // 4], (code - 2) % 4)
        yield offset, result + end
