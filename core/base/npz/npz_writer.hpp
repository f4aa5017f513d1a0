#pragma once
// Writes tables as .npz: a ZIP archive of NumPy arrays, one per column, which numpy.load() reads. Columns have the
// names, order and exact values of the CSV output.
//
//   integers   NAME: int64. If some are missing (0 in NAME), NAME.null follows: bool, true where they are
//   reals      NAME: float64, NaN if missing
//   text       NAME: int32, the index of the text, or -1 if missing. NAME.utf8 and NAME.ends follow: the different
//   texts
//              in UTF-8, one after another (uint8), and the position in NAME.utf8 where each ends (int64)
//
// A column with integers and reals is real; one with numbers and text is text. The dictionary keeps a million rows with
// a few hundred long kernel names small; an array of fixed-width strings would be as wide as the longest name. Readers
// that read the archive front to back know what a member is from its type and the one before it, even if a column has
// the name of another one's part.
//
// Sources: the .npy format, version 1.0, of NumPy Enhancement Proposal 1; numpy.savez for the archive.
#include <span>

#include "core/base/npz/stored_zip.hpp"
#include "core/base/table.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope {

/// Writes an archive with the columns of one table. Needs the memory of one column.
void write_npz(const ByteSink& out, const Table& table);
/// Writes an archive with the columns of several tables, named TABLE/COLUMN. Before its columns, a table with a note
/// has TABLE.note: the text in UTF-8 (uint8).
void write_npz(const ByteSink& out, std::span<const NamedTable> tables);

}  // namespace warpscope
