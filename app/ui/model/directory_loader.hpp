#pragma once
// Adapts the core/ingest loader for the window.
#include "app/ui/model/loading.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::ui {

/// `base`: options for all loads; each load's own choices are applied on top.
[[nodiscard]] LoaderFactory directory_loader(ingest::LoadOptions base = {});

}  // namespace warpscope::ui
