export {
  type Computer,
  type Decision,
  decideOnOutputs,
  decideTask,
  decideWork,
  downloadLimit,
  staysInPlace,
  transferSeconds,
  type Worker,
  type WorkLimits,
  type WorkPass,
  type WorkStage,
} from './decide/decide-work.ts';
export { delegationReason } from './decide/reasons.ts';
export { chunkPolicy, forecastWork, hasUnknownDuration, type WorkForecast } from './decide/steps-in-chunks.ts';
