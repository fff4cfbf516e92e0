export { assumedProbe } from './media/probe/assumed-probe.ts';
export {
  functionDiskBytes,
  type InputLimits,
  inputFaultWarnings,
  inputLimitsSchema,
  maxDecodedPixels,
  maxDownloadBytes,
  maxSubtitleBytes,
  validateProbe,
  validateTotalDuration,
} from './media/probe/input-limits.ts';
export type { AudioStream, Probe, VideoStream } from './media/probe/probe.ts';
export { mainAudio, mainVideo, requireVideo } from './media/probe/streams.ts';
