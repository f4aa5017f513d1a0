"""Names and categories as numbers, which the frames of Trace contain."""

import re

_MEMORY_OPERATION = re.compile(r"(hip)?Memcpy|(hip)?Memset|dma")


def shorten_name(name):
    """Removes arguments, template arguments and return type: "void f<4>(int*)" becomes "f"."""
    if _MEMORY_OPERATION.match(name) or not re.search("[<(]", name):
        return name
    kept = []
    for letter in name.replace("->", ""):
        if letter not in ">)":
            kept.append(letter)
            continue
        opening = "<" if letter == ">" else "("
        while kept and kept.pop() != opening:
            pass
    return "".join(kept).rsplit(" ", 1)[-1]


class TraceSymbolTable:
    """Numbers for texts: sym_table[sym_index[text]] == text."""

    def __init__(self, symbols=()):
        self.sym_table = []
        self.sym_index = {}
        self.add_symbols(symbols)

    def add_symbols(self, symbols):
        for symbol in symbols:
            if symbol not in self.sym_index:
                self.sym_index[symbol] = len(self.sym_table)
                self.sym_table.append(symbol)

    def get_sym_table(self):
        return self.sym_table

    def get_sym_id_map(self):
        return self.sym_index

    get_sym_index = get_sym_id_map

    def find_matched_symbols(self, patterns):
        """Returns the symbols that contain one of the texts."""
        return [symbol for symbol in self.sym_table if any(pattern in symbol for pattern in patterns)]

    def add_symbols_to_trace_df(self, trace_df, col):
        """Replaces the numbers in a column of a frame by their texts."""
        trace_df[col] = [self._text(number, self.sym_table) for number in trace_df[col]]

    def decode_df(self, df, create_new_columns=False, use_shorten_name=False):
        """Replaces the numbers in the columns name, cat and user_annotation, or adds s_name, s_cat and so on."""
        texts = [shorten_name(symbol) for symbol in self.sym_table] if use_shorten_name else self.sym_table
        for column in ("name", "cat", "user_annotation"):
            if column in df.columns and df[column].dtype.kind == "i":
                target = "s_" + column if create_new_columns else column
                df[target] = [self._text(number, texts) for number in df[column]]

    @staticmethod
    def _text(number, texts):
        return texts[number] if 0 <= number < len(texts) else ""
