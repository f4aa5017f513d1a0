#include "core/sql/recipes.hpp"

namespace warpscope::sql {

namespace {

constexpr Recipe kRecipes[]{
    {"slowest_step", "Slowest step against the median",
     "GPU time by name, and idle time before kernels, in the slowest step of the first rank and in its median step, "
     "the "
     "largest difference first. If it is idle time, \"Kernels by the gap before them\" shows where.",
     R"(WITH first AS (SELECT min(rank) AS rank FROM step),
ordered AS (SELECT step.name, row_number() OVER (ORDER BY dur) AS place, count(*) OVER () AS steps
            FROM step, first WHERE step.rank = first.rank),
slow AS (SELECT name FROM ordered WHERE place = steps),
usual AS (SELECT name FROM ordered WHERE place = (steps + 1) / 2),
activity AS (SELECT name, class, step, dur,
                    start - max("end") OVER (PARTITION BY device ORDER BY start, "end"
                                             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap
             FROM gpu_activity WHERE rank = (SELECT rank FROM first)),
spent AS (SELECT name, class, step, dur FROM activity
          UNION ALL SELECT '(GPU idle)', 'idle', step, gap FROM activity WHERE gap > 0)
SELECT spent.name, class, sum(dur * ((step = slow.name) - (step = usual.name))) AS difference_ns,
       sum(dur * (step = slow.name)) AS slowest_step_ns, sum(dur * (step = usual.name)) AS median_step_ns
FROM spent, slow, usual WHERE step IN (slow.name, usual.name)
GROUP BY spent.name, class ORDER BY difference_ns DESC LIMIT 20;
)"},
    {"step_times", "Step times across ranks",
     "Shortest and longest duration of each step among the ranks. A step that is long on all ranks is slow for a "
     "common reason; one that is long on some ranks makes the others wait.",
     R"(SELECT name, count(*) AS ranks, min(dur) AS shortest_ns, max(dur) AS longest_ns,
       max(dur) - min(dur) AS spread_ns
FROM step GROUP BY name ORDER BY min(start);
)"},
    {"gaps_before_kernels", "Kernels by the gap before them",
     "Time that a GPU is idle directly before a kernel, by the kernel's name. Long gaps before one kernel point at the "
     "code that launches it.",
     R"(SELECT name, count(*) AS gaps, sum(gap) AS gap_ns, max(gap) AS longest_gap_ns
FROM (SELECT name, start - max("end") OVER (PARTITION BY rank, device ORDER BY start, "end"
                                            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap
      FROM gpu_activity)
WHERE gap > 0 GROUP BY name ORDER BY gap_ns DESC LIMIT 20;
)"},
    {"launches_per_operator", "Launches per operator",
     "Operators whose calls launch most kernels, with the GPU time of these. Many launches with little GPU time each "
     "are candidates for fusion or CUDA graphs.",
     R"(SELECT s.name, count(*) AS launches, sum(g.dur) AS gpu_time_ns, sum(g.dur) / count(*) AS mean_ns
FROM launch l JOIN slice s ON s.id = parent(l.launch) JOIN gpu_activity g ON g.id = l.activity
GROUP BY s.name ORDER BY launches DESC LIMIT 20;
)"},
    {"synchronizations", "Longest synchronizations",
     "Host calls that wait for the GPU, with the code around them. Each row can be shown in the Timeline.",
     R"(SELECT id, rank, name, start, dur, path(id) AS path
FROM slice WHERE category = 'cuda_runtime' AND name LIKE '%Synchronize%' ORDER BY dur DESC LIMIT 20;
)"},
    {"copies", "Memory copies by direction",
     "Size, time and bandwidth of memcpys and memsets. Copies from pageable memory are slow; use pinned memory.",
     R"(SELECT name, count(*) AS count, sum(bytes) AS bytes, sum(dur) AS dur_ns,
       CAST(sum(bytes) AS REAL) / sum(dur) AS gb_per_s
FROM gpu_activity WHERE class = 'memory' GROUP BY name ORDER BY dur_ns DESC;
)"},
    {"collective_bandwidth", "Bytes and bandwidth per process group",
     "Collectives of the whole recording by group and kind, each counted once, with the bytes of one rank's message. "
     "The "
     "bandwidth counts from the arrival of the last rank, so waiting is excluded.",
     R"(SELECT "group", kind, count(*) AS count, sum(bytes) AS bytes, sum(dur) AS transfer_ns,
       CAST(sum(bytes) AS REAL) / sum(dur) AS gb_per_s, sum(waited_ns) AS waited_ns
FROM collective GROUP BY "group", kind ORDER BY transfer_ns DESC;
)"},
    {"last_to_arrive", "Ranks that others wait for",
     "How often a rank arrives last at a collective, how long others wait for it, and why, in the evaluated steps: the "
     "analysis late_ranks. If a collective waits for several ranks, they share the wait; so the rank that is last need "
     "not be the one that costs most.",
     R"(SELECT rank, times_last, collectives, wait_caused_per_step_ns, waited_per_step_ns, cause
FROM late_ranks ORDER BY wait_caused_per_step_ns DESC;
)"},
    {"time_per_annotation", "GPU time per annotation",
     "GPU time by the innermost annotation of its launch. Annotate the training script (record_function, nvtx) to see "
     "its parts here.",
     R"(SELECT annotation, class, count(*) AS count, sum(dur) AS gpu_time_ns
FROM gpu_activity GROUP BY annotation, class ORDER BY gpu_time_ns DESC LIMIT 50;
)"},
    {"matrix_shapes", "Shapes of matrix products",
     "GPU time of matrix products on the first rank by input shapes, if recorded (record_shapes=True). Sizes that are "
     "not multiples of 8, and very small ones, make poor use of tensor cores.",
     R"(SELECT s.name, arg(s.id, 'Input Dims') AS shapes, count(*) AS count, sum(g.dur) AS gpu_time_ns
FROM gpu_activity g JOIN slice s ON s.id = parent(g.launch)
WHERE g.rank = (SELECT min(rank) FROM rank) AND s.name IN ('aten::mm', 'aten::bmm', 'aten::addmm', 'aten::baddbmm')
GROUP BY s.name, shapes ORDER BY gpu_time_ns DESC LIMIT 20;
)"},
};

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }

}  // namespace warpscope::sql
