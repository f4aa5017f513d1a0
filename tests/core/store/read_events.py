#!/usr/bin/env python3
"""Reads an archive of event texts by core/store/event_archive.md alone, and prints the texts, one after the other.

Written from the document, not from the program, so that a test can hold the one against the other. Standard library
only; zstd frames are unpacked by libzstd or the zstd command-line tool.

    read_events.py ARCHIVE FACTS        FACTS: a line "offset begin duration" for each event
"""
import ctypes
import ctypes.util
import struct
import subprocess
import sys

MASK = (1 << 64) - 1
GUESSES = 16384


def unpack(stored, raw):
    if len(stored) == raw:
        return stored
    if len(stored) == 1:
        return stored * raw
    name = ctypes.util.find_library("zstd")
    if name is None:
        return subprocess.run(["zstd", "-d", "-c", "-q"], input=stored, stdout=subprocess.PIPE, check=True).stdout
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(raw)
    if zstd.ZSTD_decompress(out, ctypes.c_size_t(raw), stored, ctypes.c_size_t(len(stored))) != raw:
        raise ValueError("damaged frame")
    return out.raw


def block_hash(data):
    value = len(data)
    for at in range(0, len(data), 8):
        value = (value ^ int.from_bytes(data[at:at + 8], "little")) * 0x9E3779B97F4A7C15 & MASK
        value ^= value >> 32
    return value


class Stream:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def difference(self):
        value = self.number()
        return (value >> 1) ^ (MASK if value & 1 else 0)

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def printed(value, style, scale):
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value), 10 ** scale)
    decimals = str(rest).zfill(scale) if scale else ""
    if style < 2:
        decimals = decimals.rstrip("0")
    if style == 1 and not decimals:
        decimals = "0"
    return (sign + str(whole) + ("." + decimals if decimals else "")).encode()


class Block:
    def __init__(self, data):
        block = Stream(data)
        directory = Stream(block.bytes(block.number()))
        self.events, skeletons, forms, dictionaries = (directory.number() for _ in range(4))
        self.counts = [directory.number() for _ in range(dictionaries)]
        columns = directory.number()

        def frame():
            raw, stored = directory.number(), directory.number()
            return Stream(unpack(block.bytes(stored), raw))

        skeleton_stream, form_stream, sequence, lengths, strings = (frame() for _ in range(5))
        self.columns = []
        for _ in range(columns):
            prediction = directory.number()
            self.columns.append((prediction, frame()))
        self.skeletons = [self.skeleton(skeleton_stream) for _ in range(skeletons)]
        self.forms = self.read_forms(form_stream, forms)
        self.sequence = self.read_sequence(sequence)
        self.strings = [[strings.bytes(lengths.number()) for _ in range(count)] for count in self.counts]
        self.previous = [0] * columns
        self.places = {}

    @staticmethod
    def skeleton(stream):
        slots = []
        for _ in range(stream.number()):
            literal = stream.bytes(stream.number())
            code = stream.number()
            slots.append((literal, code, [stream.number() for _ in range(2 if code == 1 else 1)]))
        return slots, stream.bytes(stream.number())

    def read_forms(self, stream, count):
        forms = []
        beyond = [0] * len(self.counts)
        for _ in range(count):
            skeleton = stream.number()
            strings = []
            for _, code, (dictionary, *_) in self.skeletons[skeleton][0]:
                if code == 0:
                    symbol = stream.number()
                    string = symbol - 1 if symbol else beyond[dictionary]
                    beyond[dictionary] = max(beyond[dictionary], string + 1)
                    strings.append(string)
            forms.append((skeleton, strings))
        return forms

    def read_sequence(self, stream):
        guesses = [0] * GUESSES
        last = before = known = 0
        forms = []
        for _ in range(self.events):
            place = ((last * 0x9E3779B1 ^ before * 0x85EBCA77) & 0xFFFFFFFF) * 0xC2B2AE3D & 0xFFFFFFFF
            symbol = stream.number()
            form = symbol - 2
            if symbol == 0:
                form = guesses[place >> 18]
            elif symbol == 1:
                form = known
                known += 1
            guesses[place >> 18] = form
            before, last = last, form
            forms.append(form)
        return forms

    def number(self, column, place):
        prediction, stream = self.columns[column]
        previous = self.previous[column]
        last, step = self.places.get(place, (None, 0))
        expected = (0, previous, previous if last is None else last, previous + step)[prediction]
        value = (expected + stream.difference()) & MASK
        self.places[place] = (value, (value - previous) & MASK)
        self.previous[column] = value
        return value

    def texts(self, offset, facts):
        for form in self.sequence:
            skeleton, strings = self.forms[form]
            slots, tail = self.skeletons[skeleton]
            next_string = iter(strings)
            text = b""
            for slot, (literal, code, places) in enumerate(slots):
                text += literal
                if code == 0:
                    text += self.strings[places[0]][next(next_string)]
                elif code == 1:
                    text += self.strings[places[1]][self.number(places[0], (form, slot))]
                else:
                    fact, style, scale = (code - 2) // 30, (code - 2) // 10 % 3, (code - 2) % 10
                    value = self.number(places[0], (form, slot))
                    if fact:
                        value += facts[offset][fact - 1]
                    text += printed(signed(value & MASK), style, scale)
            yield text + tail
            offset += self.number(0, (form, None))


def texts(archive, facts):
    raw, stored = struct.unpack("<QQ", archive[-24:-8])
    if archive[-8:] != b"WSEVENT1":
        raise ValueError("no archive")
    index = Stream(unpack(archive[-24 - stored:-24], raw))
    at = offset = 0
    for _ in range(index.number()):
        offset += index.number()
        size, events = index.number(), index.number()
        data = archive[at:at + size]
        at += size
        if block_hash(data) != int.from_bytes(index.bytes(8), "little"):
            raise ValueError("damaged block")
        block = Block(data)
        if block.events != events:
            raise ValueError("the index contradicts a block")
        yield from block.texts(offset, facts)


def main():
    with open(sys.argv[1], "rb") as file:
        archive = file.read()
    facts = {}
    with open(sys.argv[2], encoding="ascii") as file:
        for line in file:
            offset, begin, duration = map(int, line.split())
            facts[offset] = (begin, duration)
    for text in texts(archive, facts):
        sys.stdout.buffer.write(text)


if __name__ == "__main__":
    main()
