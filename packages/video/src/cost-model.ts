export { commandCost } from './cost-model/command-cost.ts';
export {
  type CostTable,
  costTable,
  type DecodeCost,
  type EncodeCost,
  lineOf,
} from './cost-model/cost-table.ts';
export { encodeSeconds, relativeFrameRate } from './cost-model/encode-cost.ts';
export {
  learnSlowness,
  type MeasuredSlowness,
  type SlownessStore,
  slownessFor,
} from './cost-model/encoder-slowness.ts';
export { sourceFlows } from './cost-model/filter-cost.ts';
export { clipShares, type PlanCost, planCost } from './cost-model/plan-cost.ts';
export {
  type Candidate,
  cpusOf,
  expectedSeconds,
  functionMemory,
  type Lack,
  lackOfWorker,
  lambdaSlowness,
  type Processors,
  spread,
  usedCpus,
  wallSeconds,
} from './cost-model/processors.ts';
