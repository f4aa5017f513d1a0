#!/usr/bin/env python3
"""Reads a store (.wscope) by core/store/README.md alone, and prints what is in it: counts, names, sums of times.

Written from the document, not from the program, so that a test can hold the one against the other. Standard library
only; zstd frames are unpacked by the zstd command-line tool or by libzstd.

    read_store.py FILE.wscope
"""
import ctypes
import ctypes.util
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from read_events import Stream, fnv1a, texts_of_block, unzigzag  # noqa: E402

ESCAPE = 0xFFFFFFFF
CHUNK = 65536
BLOCK = 16
FOLDED = 2


def unpack_frames(stored):
    """Content of concatenated zstd frames, skippable ones left out."""
    if not stored:
        return b""
    name = ctypes.util.find_library("zstd")
    if name is None:
        return subprocess.run(["zstd", "-d", "-c", "-q"], input=stored, stdout=subprocess.PIPE, check=True).stdout
    zstd = ctypes.CDLL(name)
    for function in (zstd.ZSTD_findFrameCompressedSize, zstd.ZSTD_decompress):
        function.restype = ctypes.c_size_t
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    content = []
    at = 0
    while at < len(stored):
        rest = stored[at:]
        size = zstd.ZSTD_findFrameCompressedSize(rest, ctypes.c_size_t(len(rest)))
        if zstd.ZSTD_isError(ctypes.c_size_t(size)):
            raise ValueError("damaged frame")
        if struct.unpack_from("<I", rest)[0] & 0xFFFFFFF0 != 0x184D2A50:
            length = zstd.ZSTD_getFrameContentSize(rest, ctypes.c_size_t(len(rest)))
            out = ctypes.create_string_buffer(max(1, length))
            got = zstd.ZSTD_decompress(out, ctypes.c_size_t(length), rest, ctypes.c_size_t(size))
            if got != length:
                raise ValueError("damaged frame")
            content.append(out.raw[:length])
        at += size
    return b"".join(content)


def wrap(value):
    """A signed number of 64 bits."""
    value &= 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >> 63 else value


class Columns:
    def __init__(self, content):
        self.content = content
        self.at = 0

    def chunk(self, count):
        width = self.content[self.at]
        planes = [self.content[self.at + 1 + k * count:self.at + 1 + (k + 1) * count] for k in range(width)]
        self.at += 1 + width * count
        return [sum(byte << 8 * k for k, byte in enumerate(value)) for value in zip(*planes)]

    def column(self, count):
        values = []
        while len(values) < count:
            values += self.chunk(min(CHUNK, count - len(values)))
        return values

    def together(self, count):
        first, second = [], []
        while len(first) < count:
            size = min(CHUNK, count - len(first))
            first += self.chunk(size)
            second += self.chunk(size)
        return first, second

    def escapes(self):
        tables = [{}, {}]
        if self.at < len(self.content):
            stream = Stream(self.content[self.at:])
            for table in tables:
                index = 0
                for _ in range(stream.number()):
                    index += stream.number()
                    table[index] = stream.signed()
        return tables


class Row:
    def __init__(self, stream, lane, folded):
        self.size = stream.number()
        self.near = stream.number()
        self.times = stream.ref()
        self.labels = stream.ref() if lane else None
        self.offsets = stream.ref() if lane else None
        self.is_lane = lane
        self.has_sums = not folded

    def blocks(self):
        return -(-self.size // BLOCK)

    def slices_near(self):
        return self.size - (self.blocks() - self.near) * BLOCK if self.near else 0


class Rank:
    def __init__(self, store, base, head):
        self.store = store
        self.base = base
        stream = Stream(store.section(head, base))
        self.path = stream.text()
        self.source = stream.number(), stream.signed(), stream.number(), stream.number()
        self.number, self.world_size = stream.signed(), stream.signed()
        self.assigned = stream.byte()
        self.host, self.process = stream.text(), stream.signed()
        self.properties = stream.many(lambda: (stream.text(), stream.text()))
        self.annotations = stream.many(lambda: (stream.text(), stream.number()))
        self.events, self.slices, self.runs, self.launch_calls = [stream.number() for _ in range(4)]
        self.by_category = stream.many(lambda: (stream.number(), stream.number()))
        self.span = stream.signed(), stream.signed()
        self.diagnostics = stream.diagnostics()
        strings, trees, near, counters, launches, forward_backward, graph_edges, transfers = [
            stream.ref() for _ in range(8)]
        counts = [stream.number() for _ in range(4)]
        self.rows = []
        self.lanes = stream.many(lambda: self.read_lane(stream))
        self.tracks = stream.many(lambda: (stream.byte(), stream.text(), stream.signed(), stream.signed(),
                                           stream.number(), stream.number(), stream.signed(), stream.byte(), stream.byte()))
        self.devices = stream.many(lambda: self.read_device(stream))
        self.busy = stream.signed()
        self.curve = [stream.many(stream.byte) for _ in range(3)]
        self.counter_heads = stream.many(lambda: (stream.text(), stream.text(), stream.number()))
        self.steps = stream.many(lambda: (stream.number(), stream.signed(), stream.signed(), stream.number()))
        if stream.at != len(stream.content):
            raise ValueError("the head is longer than it says")
        self.read_strings(Stream(store.section(strings, base)))
        self.read_trees(Columns(store.section(trees, base)))
        self.read_near(Columns(store.section(near, base)))
        for row in self.rows:
            self.read_row(row)
        self.launches = self.read_pairs(Columns(store.section(launches, base)), counts[0])
        self.forward_backward = self.read_pairs(Columns(store.section(forward_backward, base)), counts[1])
        self.graph_edges = self.read_pairs(Columns(store.section(graph_edges, base)), counts[2])
        self.read_transfers(Columns(store.section(transfers, base)), counts[3])
        self.read_counters(Columns(store.section(counters, base)))

    def read_lane(self, stream):
        kind, depth, families, sums = stream.byte(), stream.number(), stream.byte(), stream.byte()
        row = Row(stream, True, kind == FOLDED)
        self.rows.append(row)
        union = None
        if kind == FOLDED:
            union = Row(stream, False, False)
            self.rows.append(union)
        row.families = [f for f in range(8) if families >> f & 1]
        row.family_columns = sums
        return kind, depth, row, union

    def read_device(self, stream):
        device = stream.signed(), stream.text(), stream.many(stream.number)
        self.rows.append(Row(stream, False, False))
        return device + (self.rows[-1],)

    def read_strings(self, stream):
        self.names = stream.many(stream.text)
        self.categories = stream.many(lambda: (stream.byte(), stream.text()))
        self.labels = stream.many(lambda: (stream.number(), stream.number(), stream.byte()))

    def read_trees(self, columns):
        steps = iter(columns.column(sum(row.blocks() for row in self.rows)))
        for row in self.rows:
            row.bases = []
            base = 0
            for _ in range(row.blocks()):
                base = wrap(base + unzigzag(next(steps)))
                row.bases.append(base)
        busy = iter(columns.column(sum(row.blocks() for row in self.rows if row.has_sums)))
        for row in self.rows:
            row.busy = [next(busy) for _ in range(row.blocks())] if row.has_sums else []
        columned = [row for row in self.rows if row.is_lane and row.has_sums and row.family_columns]
        sums = iter(columns.column(sum(row.blocks() * row.family_columns for row in columned)))
        for row in columned:
            row.family_busy = {family: 0 for family in row.families}
            for block in range(row.blocks()):
                some = [next(sums) for _ in range(row.family_columns)]
                if len(some) < len(row.families):
                    some.append(row.busy[block] - sum(some))
                for family, value in zip(row.families, some):
                    row.family_busy[family] += value

    def read_near(self, columns):
        partly = [row for row in self.rows if row.near < row.blocks()]
        steps = iter(columns.column(sum(row.near for row in partly)))
        for row in partly:
            block, row.near_blocks = 0, []
            for _ in range(row.near):
                block += next(steps)
                row.near_blocks.append(block)
            if row.near_blocks[-1] != row.blocks() - 1:
                raise ValueError("the last block is not at hand")
        count = sum(row.slices_near() for row in self.rows)
        gaps, durations = columns.column(count), columns.column(count)
        labels = columns.column(sum(row.slices_near() for row in self.rows if row.is_lane))
        begin_escapes, duration_escapes = columns.escapes()
        at = label_at = 0
        for row in self.rows:
            size = row.slices_near()
            row.near_codes = (gaps[at:at + size], durations[at:at + size],
                              {i - at: v for i, v in begin_escapes.items() if at <= i < at + size},
                              {i - at: v for i, v in duration_escapes.items() if at <= i < at + size})
            if row.is_lane:
                row.near_labels = labels[label_at:label_at + size]
                label_at += size
            at += size

    def slices_of(self, bases, gaps, durations, begin_escapes, duration_escapes):
        result = []
        code = 0
        for i, (gap, duration) in enumerate(zip(gaps, durations)):
            code = gap if i % BLOCK == 0 else (code + durations[i - 1] + gap) & 0xFFFFFFFF
            distance = begin_escapes[i] if code == ESCAPE else code
            length = duration_escapes[i] if duration == ESCAPE else duration
            result.append((wrap(bases[i // BLOCK] + distance), length))
        return result

    def read_row(self, row):
        if row.near == row.blocks():
            row.slices = self.slices_of(row.bases, *row.near_codes)
            if row.is_lane:
                row.slice_labels = row.near_labels
        else:
            columns = Columns(self.store.section(row.times, self.base))
            codes = columns.together(row.size)
            row.slices = self.slices_of(row.bases, *codes, *columns.escapes())
            if row.is_lane:
                row.slice_labels = Columns(self.store.section(row.labels, self.base)).column(row.size)
            self.check_near(row)
        for block, busy in enumerate(row.busy):
            lengths = [max(0, length) for _, length in row.slices[block * BLOCK:(block + 1) * BLOCK]]
            if sum(lengths) != busy and busy < (1 << 62):
                raise ValueError("busy time of a block does not hold")
        if row.is_lane:
            row.slice_offsets = []
            offset = 0
            for step in Columns(self.store.section(row.offsets, self.base)).column(row.size):
                offset += unzigzag(step)
                row.slice_offsets.append(offset)

    def check_near(self, row):
        near = self.slices_of([row.bases[block] for block in row.near_blocks], *row.near_codes)
        indices = [i for block in row.near_blocks for i in range(block * BLOCK, min(row.size, (block + 1) * BLOCK))]
        if [row.slices[i] for i in indices] != near:
            raise ValueError("times at hand are not those of the row")
        if row.is_lane and [row.slice_labels[i] for i in indices] != row.near_labels:
            raise ValueError("labels at hand are not those of the row")

    def read_pairs(self, columns, count):
        pairs = []
        cause = effect = 0
        for step, zigzag in zip(*columns.together(count)):
            cause += step
            effect += unzigzag(zigzag)
            pairs.append((cause, effect))
        return pairs

    def read_transfers(self, columns, count):
        self.transfers = []
        ordinal = 0
        for step, size in zip(*columns.together(count)):
            ordinal += step
            self.transfers.append((ordinal, size))

    def read_counters(self, columns):
        total = sum(size for _, _, size in self.counter_heads)
        steps, bits = iter(columns.column(total)), iter(columns.column(total))
        self.counters = []
        for name, unit, size in self.counter_heads:
            time, samples = 0, []
            for _ in range(size):
                time = wrap(time + unzigzag(next(steps)))
                samples.append([time])
            self.counters.append((name, unit, samples))
        for _, _, samples in self.counters:
            for sample in samples:
                sample.append(struct.unpack("<f", struct.pack("<I", next(bits)))[0])


class Metrics:
    def __init__(self, store, head, columns):
        stream = Stream(store.section(head, 0))
        self.node, self.source = stream.text(), stream.text()
        self.files, self.bytes, self.repeated = [stream.number() for _ in range(3)]
        heads = stream.many(lambda: (stream.number(),
                                     stream.many(lambda: (stream.text(), stream.text(), stream.text()))))
        content = Columns(store.section(columns, 0))
        steps = iter(content.column(sum(size for size, _ in heads)))
        bits = iter(content.column(sum(size * len(series) for size, series in heads)))
        self.series = []
        for size, series in heads:
            time, times = 0, []
            for _ in range(size):
                time = wrap(time + unzigzag(next(steps)))
                times.append(time)
            for name in series:
                values = [struct.unpack("<f", struct.pack("<I", next(bits)))[0] for _ in range(size)]
                self.series.append((name, times, values))


class Store:
    def __init__(self, data):
        self.data = data
        if data[:8] != b"\x89WSCOPE\n":
            raise ValueError("not a store")
        if struct.unpack_from("<I", data, 8)[0] != 10:
            raise ValueError("another version")
        offset, stored, content, checksum, magic = struct.unpack("<QQQQ8s", data[-40:])
        if magic != b"WSCOPEND" or offset + stored + 40 != len(data):
            raise ValueError("cut off")
        if fnv1a(data[:32] + data[offset:offset + stored] + data[-40:-16]) != checksum:
            raise ValueError("damaged directory")
        stream = Stream(self.section((offset, stored, content), 0))
        self.program, self.root = stream.text(), stream.text()
        self.diagnostics = stream.diagnostics()
        self.sources = stream.many(lambda: self.read_source(stream))
        self.metrics = stream.many(lambda: Metrics(self, stream.ref(), stream.ref()))

    def section(self, ref, base):
        offset, stored, content = ref
        result = unpack_frames(self.data[base + offset:base + offset + stored])
        if len(result) != content:
            raise ValueError("a section is not as long as it says")
        return result

    def read_source(self, stream):
        key = (stream.text(), stream.number(), stream.signed(), stream.number(), stream.number(), stream.number())
        rank = archive = None
        if stream.byte():
            base, _length, head = stream.number(), stream.number(), stream.ref()
            slices = stream.number()
            rank = base, head, slices
        if stream.byte():
            archive = stream.ref()
        return key, rank, archive

    def texts(self, archive, facts):
        """Texts of the events of an archive; `facts`: (start, duration) by offset."""
        index = Stream(self.section(archive, 0))
        offsets, texts = [0, 0], {}
        for ref, apart, step in index.many(lambda: (index.ref(), index.byte(), index.number())):
            offsets[apart] += step
            texts.update(texts_of_block(Stream(self.section(ref, 0)), offsets[apart], facts))
        return [texts[offset] for offset in sorted(texts)]


def text(raw):
    return raw.hex()


def total(values):
    return sum(values) % (1 << 64)


def describe(store, out):
    """One line a thing, the same as the test prints from the program's own reader."""
    print("root", text(store.root), "sources", len(store.sources), file=out)
    for key, place, archive in store.sources:
        print("source", text(key[0]), *key[1:], file=out)
        if not place:
            continue
        base, head, slices = place
        rank = Rank(store, base, head)
        print("rank", rank.number, rank.world_size, rank.assigned, text(rank.host), rank.process, slices, file=out)
        print("counts", rank.events, rank.slices, rank.runs, rank.launch_calls, *rank.span, file=out)
        print("properties", *[text(word) for pair in rank.properties for word in pair], file=out)
        print("annotations", *[word for name, count in rank.annotations for word in (text(name), count)], file=out)
        named = sorted((text(rank.categories[number][1]), count) for number, count in rank.by_category)
        print("categories", *[word for pair in named for word in pair], file=out)
        for code, severity, count, file, offset, example in rank.diagnostics:
            print("diagnostic", text(code), severity, count, text(file), offset, text(example), file=out)
        for kind, label, process, number, lanes, launches, device, communication, runs in rank.tracks:
            print("track", kind, text(label), process, number, lanes, launches, device, communication, runs, file=out)
        for kind, depth, row, union in rank.lanes:
            labels = [rank.labels[number] for number in row.slice_labels]
            print("lane", kind, depth, row.size, total(b for b, _ in row.slices), total(d for _, d in row.slices),
                  sum(len(rank.names[name]) * (i % 7 + 1) for i, (name, _, _) in enumerate(labels)),
                  sum(len(rank.categories[category][1]) * (i % 5 + 1) for i, (_, category, _) in enumerate(labels)),
                  sum((family + 1) * (i % 3 + 1) for i, (_, _, family) in enumerate(labels)) if union is None else 0,
                  sum(row.slice_offsets), file=out)
            if union is not None:
                print("union", union.size, total(b for b, _ in union.slices), total(d for _, d in union.slices), file=out)
            if row.family_columns:
                print("families", *[word for pair in sorted(row.family_busy.items()) for word in pair], file=out)
        for identity, model, streams, row in rank.devices:
            print("device", identity, text(model), *streams, row.size, sum(row.busy), file=out)
        print("curve", rank.busy, *map(sum, rank.curve), file=out)
        for name, unit, samples in rank.counters:
            print("counter", text(name), text(unit), len(samples), total(time for time, _ in samples),
                  "%.6g" % sum(value for _, value in samples), file=out)
        for name, begin, end, piece in rank.steps:
            print("step", text(rank.names[name]), begin, end, piece, file=out)
        for what, pairs in (("launches", rank.launches), ("forward_backward", rank.forward_backward),
                            ("graph_edges", rank.graph_edges)):
            print(what, len(pairs), sum(cause for cause, _ in pairs), sum(effect for _, effect in pairs), file=out)
        if archive:
            facts = {offset: piece for _, _, row, _ in rank.lanes for offset, piece in zip(row.slice_offsets, row.slices)}
            texts = store.texts(archive, facts)
            if len(texts) != len(facts):
                raise ValueError("an archive has other events than the lanes")
            print("texts", len(texts), fnv1a(b"".join(texts)), file=out)
        print("transfers", len(rank.transfers), sum(ordinal for ordinal, _ in rank.transfers),
              total(size for _, size in rank.transfers), file=out)
    for node in store.metrics:
        print("metrics", text(node.node), text(node.source), node.files, node.bytes, node.repeated, file=out)
        for name, times, values in sorted(node.series):
            print("series", *[text(word) for word in name], len(times), total(times), "%.6g" % sum(values), file=out)


def main():
    with open(sys.argv[1], "rb") as file:
        describe(Store(file.read()), sys.stdout)


if __name__ == "__main__":
    main()
