export { aChunk, aChunkedWork } from './builders/chunking/a-chunked-work.ts';
export { aFrameIndex } from './builders/chunking/a-frame-index.ts';
export { type AudioSource, audioSource, audioSources } from './builders/chunking/audio-sources.ts';
export {
  type ChunkSource,
  chunkSource,
  chunkSources,
  cuttableSources,
  everyChunkSource,
} from './builders/chunking/chunk-sources.ts';
export {
  declared,
  heavySources,
  manyCues,
  manyCuesFile,
  manyCuesVideo,
} from './builders/chunking/heavy-sources.ts';
export { audioErrorsDb, percentile99, splitWindows } from './builders/measure/audio-errors.ts';
export { chromaShift, patchClip } from './builders/measure/chroma-shift.ts';
export { codedFrames, lowestShare } from './builders/measure/decoder-buffer.ts';
export { expectGreen } from './builders/measure/expect-green.ts';
export { decodeFrameAt } from './builders/measure/frame-at.ts';
export { hdrPatches, readPatches } from './builders/measure/hdr-patches.ts';
export type { Rgb } from './builders/measure/hdr-reference.ts';
export { loudestTones } from './builders/measure/loudest-tones.ts';
export { audioSamples, residualDb } from './builders/measure/measure-audio.ts';
export {
  audioSeconds,
  frameTimes,
  keyframeIndexes,
  keyframeTimes,
  loudnessAt,
  ssim,
} from './builders/measure/measure-video.ts';
export { measureVmaf } from './builders/measure/measure-vmaf.ts';
export { type Packet, packetsOf, streamsOf } from './builders/measure/packets-of.ts';
export {
  type FileRange,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
} from './builders/measure/read-manifests.ts';
export { statedTiming } from './builders/measure/stated-timing.ts';
export { type Timing, timingOf } from './builders/measure/timing-of.ts';
export { aMovie, aMovieFile, aTrack } from './builders/media/a-movie.ts';
export {
  anAudioStream,
  anImageProbe,
  aProbe,
  aSubtitleStream,
  aVideoStream,
} from './builders/media/a-probe.ts';
export {
  anAudioWithFormatChanges,
  aVideoWithAudioFormatChanges,
} from './builders/media/audio-format-changes.ts';
export { bareFfmpeg, bareFfmpegOutput, bareFfprobe, ffmpegPrograms } from './builders/media/bare-ffmpeg.ts';
export { broadcastParts, pids } from './builders/media/broadcast-parts.ts';
export { cachedFile } from './builders/media/cached-file.ts';
export {
  captionedClip,
  captionsIdentifier,
  captionText,
  emptyPairs,
} from './builders/media/captioned-clip.ts';
export { clipWith, specialClip } from './builders/media/clips.ts';
export { compressedRangeClip, compression } from './builders/media/compressed-range-clip.ts';
export {
  damagedFile,
  flippedBits,
  lostPackets,
  noise,
  nothing,
  type SourceName,
  wholeFile,
  wholeSources,
  withoutFragments,
  zeros,
} from './builders/media/damaged-file.ts';
export { clipWithExternalReference } from './builders/media/external-reference-clip.ts';
export { writeFalseDuration } from './builders/media/false-duration.ts';
export { fieldPairMatroska } from './builders/media/field-pair-clip.ts';
export { type InterlacedClip, interlacedMatroska } from './builders/media/field-rate-clip.ts';
export { generatedFile } from './builders/media/generated-file.ts';
export { asBt601, greenClip, greenSource } from './builders/media/green-clip.ts';
export {
  concatScriptOf,
  manifestOf,
  playlistOf,
  svgOf,
  writeTestFile,
} from './builders/media/hostile-files.ts';
export { clipWithLateFields, mpeg2Scene } from './builders/media/late-fields.ts';
export { lateTimeline } from './builders/media/late-timeline.ts';
export { type Container, longVideo } from './builders/media/long-video.ts';
export { frameNumber, numberedClip, numberedFramesPerSecond } from './builders/media/numbered-clip.ts';
export { h264AndAac, recording } from './builders/media/recording.ts';
export { retagged } from './builders/media/retagged.ts';
export { silentRecording } from './builders/media/silent-recording.ts';
export { sphericalClip } from './builders/media/spherical-clip.ts';
export { aStreamingClip, flashAt, streamingClip } from './builders/media/streaming-clip.ts';
export { clipWithSubtitles, srtOf } from './builders/media/subtitled-clips.ts';
export { unusualClip } from './builders/media/unusual-clips.ts';
export { withoutStreamEnds } from './builders/media/without-stream-ends.ts';
export { aVideoEncoding } from './builders/recipes/a-video-encoding.ts';
export { anEncoder, encode, encodeOne } from './builders/recipes/encode.ts';
