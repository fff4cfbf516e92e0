export { decideOnOutputs } from './decide/decide-on-outputs.ts';
export {
  type Computer,
  type Decision,
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
