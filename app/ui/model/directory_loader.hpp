#pragma once
// Adapts the loader of core/ingest to the window.
#include "app/ui/model/loading.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::ui {

/// `base`: options common to all loads; the choices for each load are applied on top.
[[nodiscard]] LoaderFactory directory_loader(ingest::LoadOptions base = {});

}  // namespace warpscope::ui
