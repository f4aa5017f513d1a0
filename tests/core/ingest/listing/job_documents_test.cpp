// Files next to the traces that describe the job.
#include "core/ingest/listing/job_documents.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

const std::string kFirstKernel = trace_of(kernel_event("first"));

const std::string kDescription = R"({
  "TrainingJobName": "llama-70b-ft",
  "TrainingJobArn": "arn:aws:sagemaker:eu-west-1:123456789012:training-job/llama-70b-ft",
  "TrainingJobStatus": "Completed",
  "CreationTime": "2020-08-05T23:02:45.250000+00:00", "TrainingStartTime": 1596668600, "TrainingEndTime": 1596669000.5,
  "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 2, "VolumeSizeInGB": 200},
  "HyperParameters": {"epochs": "10", "sagemaker_program": "\"train.py\"", "betas": "[0.9, 0.95]"},
  "ProfilerConfig": {"ProfilingIntervalInMilliseconds": 500,
    "ProfilingParameters": {"DetailedProfilingConfig": "{\"StartStep\": 5, \"NumSteps\": 1}",
                            "PythonProfilingConfig": "{'StartStep': 9, 'ProfilerName': 'cprofile', 'On': True}"}}})";

std::vector<std::string> names(const std::vector<trace::SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files) found.push_back(fs::path(file.path).filename().string());
  return found;
}

}  // namespace

TEST_CASE("saved output of describe-training-job is read with all its values") {
  const auto document = parse_job_document(kDescription, "job.json");
  REQUIRE(document);
  CHECK(document->kind == trace::JobDocumentKind::training_job);
  CHECK(document->job_name == "llama-70b-ft");
  CHECK(document->status == "Completed");
  CHECK(document->instance_type == "ml.p4d.24xlarge");
  CHECK(document->instance_count == 2);
  CHECK(document->created_ns == 1'596'668'565'250'000'000);
  CHECK(document->started_ns == 1'596'668'600'000'000'000);
  CHECK(document->ended_ns == 1'596'669'000'500'000'000);
  CHECK(document->value("HyperParameters.epochs") == "10");
  CHECK(document->value("HyperParameters.sagemaker_program") == "train.py");
  CHECK(document->value("HyperParameters.betas") == "0.9, 0.95");
  CHECK(document->value("ProfilerConfig.ProfilingParameters.DetailedProfilingConfig.StartStep") == "5");
  CHECK(document->value("ProfilerConfig.ProfilingParameters.PythonProfilingConfig.ProfilerName") == "cprofile");
  CHECK(document->value("ProfilerConfig.ProfilingParameters.PythonProfilingConfig.On") == "true");
}

TEST_CASE("the configuration files of SageMaker's containers are read") {
  const auto profiler = parse_job_document(
      R"({"profilingparameters": {"LocalPath": "/opt/ml/output/profiler", "DataloaderProfilingConfig": "{\"StartStep\": 7}"},
          "DisableProfiler": false})",
      "x.json");
  REQUIRE(profiler);
  CHECK(profiler->kind == trace::JobDocumentKind::profiler_config);
  CHECK(profiler->value("profilingparameters.DataloaderProfilingConfig.StartStep") == "7");
  CHECK(profiler->value("DisableProfiler") == "false");
  const auto resources = parse_job_document(
      R"({"current_host": "algo-1", "current_instance_type": "ml.g5.xlarge", "hosts": ["algo-1", "algo-2", "algo-3"]})",
      "resourceconfig.json");
  REQUIRE(resources);
  CHECK(resources->instance_type == "ml.g5.xlarge");
  CHECK(resources->instance_count == 3);
  CHECK(parse_job_document(R"({"lr": "0.1"})", "hyperparameters.json").value().value("lr") == "0.1");
  CHECK_FALSE(parse_job_document(R"({"lr": "0.1"})", "other.json"));
  CHECK_FALSE(parse_job_document("[1, 2]", "other.json"));
  CHECK_FALSE(parse_job_document(R"({"TrainingJobName": )", "other.json"));
}

TEST_CASE("hostile documents stay within bounds") {
  std::string deep = R"({"TrainingJobName": )" + std::string(500, '[') + "{}" + std::string(500, ']') + "}";
  const auto nested = parse_job_document(deep, "x.json");
  REQUIRE(nested);
  CHECK(nested->facts.size() <= 2);
  std::string many = R"({"TrainingJobName": "x")";
  for (int i = 0; i < 20'000; ++i) many += ", \"k" + std::to_string(i) + "\": " + std::to_string(i);
  CHECK(parse_job_document(many + "}", "x.json").value().facts.size() == kMostJobFacts);
  const auto longest = parse_job_document(R"({"TrainingJobName": ")" + std::string(1'000'000, 'n') + "\"}", "x.json");
  REQUIRE(longest);
  CHECK(longest->job_name.size() < 5000);
  CHECK_FALSE(parse_job_document(std::string(kLargestJobDocument + 1, ' '), "x.json"));
  std::string within = "1";
  for (int i = 0; i < 12; ++i) {
    std::string quoted;
    for (const char c : "[" + within + "]") quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    within = "\"" + quoted + "\"";
  }
  CHECK(parse_job_document(R"({"TrainingJobName": "x", "n": )" + within + "}", "x.json"));
}

TEST_CASE("job documents next to traces are not traces, and reach the profile") {
  const TestFolder folder;
  folder.write("job/rank0.json", kFirstKernel);
  folder.write("job/config/profilerconfig.json", R"({"ProfilingParameters": {"LocalPath": "/x"}})");
  folder.write("job/saved answer.json", kDescription);
  folder.write("job/hyperparameters.json", "{ this is none");
  const auto found = discover(folder.path() / "job");
  REQUIRE(found);
  CHECK(names(found->sources) == std::vector<std::string>{"rank0.json"});
  CHECK(names(found->documents) ==
        std::vector<std::string>{"profilerconfig.json", "hyperparameters.json", "saved answer.json"});
  CHECK(names(discover(folder.path() / "job", &*found).value().documents) == names(found->documents));

  const auto profile = tests::load_profile((folder.path() / "job").string(), {.threads = 1});
  REQUIRE(profile);
  REQUIRE((*profile)->job->size() == 2);
  CHECK((*profile)->job->back().job_name == "llama-70b-ft");
  CHECK((*profile)->diagnostics.count("job-document-unreadable") == 1);
}

TEST_CASE("a job description one directory up is used if it belongs to the same job") {
  const TestFolder folder;
  folder.write("llama-70b-ft/profiler-output/framework/rank0.json", kFirstKernel);
  folder.write("llama-70b-ft/describe.json", kDescription);
  folder.write("llama-70b-ft/profilerconfig.json", R"({"ProfilingParameters": {}})");
  folder.write("other/rank0.json", kFirstKernel);
  folder.write("llama.json", kDescription);
  const auto documents = [&](const char* name) {
    const auto found = discover(folder.path() / name);
    REQUIRE(found);
    std::vector<std::string> files;
    for (const auto& one : read_job_documents(*found).documents)
      files.push_back(fs::path(one.path).filename().string());
    return files;
  };
  CHECK(documents("llama-70b-ft/profiler-output/framework") ==
        std::vector<std::string>{"describe.json", "profilerconfig.json", "llama.json"});
  CHECK(documents("llama-70b-ft/profiler-output") ==
        std::vector<std::string>{"describe.json", "profilerconfig.json", "llama.json"});
  CHECK(documents("llama-70b-ft") == std::vector<std::string>{"describe.json", "profilerconfig.json", "llama.json"});
  CHECK(documents("other").empty());
  CHECK(documents("other/rank0.json").empty());
  folder.write("other/profilerconfig.json", R"({"ProfilingParameters": {}})");
  CHECK(documents("other/rank0.json") == std::vector<std::string>{"profilerconfig.json"});
}

TEST_CASE("job names far into a file are found") {
  const TestFolder folder;
  folder.write("job/rank0.json", kFirstKernel);
  const std::string late =
      R"({"AlgorithmSpecification": {"x": ")" + std::string(10'000, 'y') + R"("}, "TrainingJobName": "a"})";
  folder.write("job/describe-training-job.json", late);
  const auto found = discover(folder.path() / "job");
  REQUIRE(found);
  CHECK(names(found->documents) == std::vector<std::string>{"describe-training-job.json"});
}

TEST_CASE("profiler configurations are found in any capitalization, and by content") {
  const TestFolder folder;
  folder.write("job/rank0.json", kFirstKernel);
  folder.write("job/a/ProfilerConfig.json", R"({"DisableProfiler": true})");
  folder.write("job/b/PROFILERCONFIG.JSON", R"({"LocalPath": "/x"})");
  folder.write("job/c/saved.json", R"({"S3OutputPath": "s3://b", "ProfilingIntervalInMilliseconds": 100})");
  folder.write("job/d/other", R"({"profilingParameters": {"LocalPath": "/x"}})");
  folder.write("job/e/HyperParameters.json", R"({"epochs": "3"})");
  folder.write("job/f/trace.json",
               trace_of(kernel_event("second"), R"("ProfilerConfig": ")" + std::string(9000, 'x') + '"'));
  const auto found = discover(folder.path() / "job");
  REQUIRE(found);
  CHECK(found->sources.size() == 2);
  REQUIRE(found->documents.size() == 5);
  const FoundJobDocuments read = read_job_documents(*found);
  CHECK(read.diagnostics.empty());
  REQUIRE(read.documents.size() == 5);
  using Kind = trace::JobDocumentKind;
  for (std::size_t i = 0; i < 4; ++i) CHECK(read.documents[i].kind == Kind::profiler_config);
  CHECK(read.documents[4].kind == Kind::hyper_parameters);
}

TEST_CASE("a job description is found under any file name") {
  const TestFolder folder;
  const std::string late =
      R"({"AlgorithmSpecification": {"x": ")" + std::string(10'000, 'y') + R"("}, "TrainingJobName": "job"})";
  folder.write("job/profiler-output/framework/rank0.json", kFirstKernel);
  folder.write("job/answer of the 3rd.txt", late);
  folder.write("job/part", R"({"ProfilerConfig": {"ProfilingIntervalInMilliseconds": 100}})");
  folder.write("job/notes.json", R"({"AlgorithmSpecification": "none"})");
  for (const char* opened : {"job", "job/profiler-output"}) {
    CAPTURE(opened);
    const auto found = discover(folder.path() / opened);
    REQUIRE(found);
    const FoundJobDocuments read = read_job_documents(*found);
    REQUIRE(read.documents.size() == 2);
    CHECK(read.documents[0].job_name == "job");
    CHECK(read.documents[1].value("ProfilerConfig.ProfilingIntervalInMilliseconds") == "100");
  }
}
