export {
  type CostTable,
  costTable,
  type DecodeCost,
  type EncodeCost,
  lineOf,
} from './cost-model/cost-table.ts';
export { encodeSeconds, relativeFrameRate } from './cost-model/encode-cost.ts';
export { sourceFlows } from './cost-model/filter-cost.ts';
export { clipShares, commandCost, type PlanCost, planCost } from './cost-model/plan-cost.ts';
export {
  cpusOf,
  expectedSeconds,
  functionMemory,
  lambdaSlowness,
  learnSlowness,
  type MeasuredSlowness,
  type Processors,
  type SlownessStore,
  slownessFor,
  spread,
  usedCpus,
  wallSeconds,
} from './cost-model/processors.ts';
