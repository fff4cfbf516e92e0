import { api } from './api.ts';
import { backlog } from './backlog.ts';
import { calls } from './calls.ts';
import { cold } from './cold.ts';
import { credentials } from './credentials.ts';
import { day } from './day.ts';
import { download } from './download.ts';
import { economy } from './economy.ts';
import { estimate } from './estimate.ts';
import { excerpts } from './excerpts.ts';
import { film } from './film.ts';
import type { Benchmark } from './harness/figures/figure.ts';
import { list } from './list.ts';
import { memory } from './memory.ts';
import { neighbour } from './neighbour.ts';
import { outputsInOneJob } from './outputs.ts';
import { parallel } from './parallel.ts';
import { peers } from './peers.ts';
import { pipeline } from './pipeline.ts';
import { recipes } from './recipes.ts';
import { throughput } from './throughput.ts';
import { webhooks } from './webhooks.ts';

/** Every benchmark. A new one needs its file and a line here. */
export const benchmarks: readonly Benchmark[] = [
  recipes,
  parallel,
  film,
  memory,
  api,
  cold,
  credentials,
  day,
  list,
  webhooks,
  calls,
  download,
  backlog,
  neighbour,
  throughput,
  excerpts,
  pipeline,
  peers,
  outputsInOneJob,
  economy,
  estimate,
];
