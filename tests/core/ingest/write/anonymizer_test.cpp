// What the anonymizer hides, and what it keeps because analyses need it.
#include "core/ingest/write/anonymizer.hpp"

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("files become numbered files, the same each time", "[ingest]") {
  ingest::Anonymizer anonymizer;
  CHECK(anonymizer.text("/mnt/secret/train.py(12): main") == "file1.py(12): main");
  CHECK(anonymizer.text("secret_model.py(7): forward") == "file2.py(7): forward");
  CHECK(anonymizer.text("lib/secret/model.cu:12") == "file3.cu:12");
  CHECK(anonymizer.text("/mnt/secret/train.py(99): other") == "file1.py(99): other");
  CHECK(anonymizer.text("loads ~/secret/data and C:\\secret\\x.json") == "loads file4 and C:file5.json");
}

TEST_CASE("paths of public packages, functions and kernels stay", "[ingest]") {
  ingest::Anonymizer anonymizer;
  for (const char* text : {"torch/nn/modules/module.py(1501): _call_impl", "forward/backward", "aten::mm", "N/A",
                           "void at::native::elementwise_kernel<128, 2>(int)", "<built-in method add>", "9.1.0",
                           "jit(step)/jit(main)/transpose(jvp(mlp))/dot_general", "ProfilerStep#7", "## forward ##"})
    CHECK(anonymizer.text(text) == text);
  CHECK(anonymizer.text("/home/ann/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py(630): __next__") ==
        "torch/utils/data/dataloader.py(630): __next__");
  CHECK(anonymizer.text("/usr/lib/python3.11/threading.py(892): run") == "threading.py(892): run");
}

TEST_CASE("hosts and users are hidden wherever they are words", "[ingest]") {
  ingest::Anonymizer anonymizer;
  anonymizer.hide_host("gpu-17.cluster.example");
  anonymizer.hide_users_in("/home/ann/train.py");
  CHECK(anonymizer.text("gpu-17.cluster.example") == "host1");
  CHECK(anonymizer.text("tcp://gpu-17:29500") == "tcp://host1:29500");
  CHECK(anonymizer.text("master 10.0.3.7 and 10.0.3.7") == "master host2 and host2");
  CHECK(anonymizer.text("run of ann on gpu-17_42") == "run of user1 on host1_42");
  CHECK(anonymizer.text("annotation planning") == "annotation planning");
}
