// Command line terms as worded on the Analysis page.
#include "app/ui/analysis/page_words.hpp"

#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

TEST_CASE("options in notes appear as fields of the page", "[analysis]") {
  CHECK(note_on_page("Nothing here; --set side=cpu lists those on the host.") ==
        "Nothing here; “side” above set to “cpu” lists those on the host.");
  CHECK(note_on_page("Try --set max_queue_length=2.5.") == "Try “max queue length” above set to “2.5”.");
  CHECK(note_on_page("a --set b=1, --set c=2") == "a “b” above set to “1”, “c” above set to “2”");
  CHECK(note_on_page("with --set alone = b") == "with --set alone = b");
  CHECK(note_on_page("--set ") == "--set ");
  CHECK(note_on_page("") == "");
}

TEST_CASE("a row's facts include its other text columns", "[analysis]") {
  Table table("t", "",
              {{"name", "", ColumnRole::name},
               {"time", "", ColumnRole::total},
               {"first run", "", ColumnRole::kernel_names},
               {"remark", "", ColumnRole::remark}});
  table.add_row({"cudaLaunchKernel", 5, "gemm", ""});
  CHECK(row_texts(table, 0) == "First run: gemm\n");
}

}  // namespace
}  // namespace warpscope::ui
