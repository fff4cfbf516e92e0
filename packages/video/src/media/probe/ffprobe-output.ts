import * as z from 'zod';
import type { HdrMetadata, VideoStream } from './probe.ts';

/** Requests only named fields: a hostile file may carry megabytes of tags. */
export const ffprobeArguments = [
  '-print_format',
  'json',
  '-show_entries',
  [
    'format=format_name,duration,size,start_time',
    'format_tags=ENCODER,timecode',
    'stream=index,id,codec_type,codec_name,profile,level,codec_tag_string,width,height,pix_fmt,sample_aspect_ratio,avg_frame_rate,r_frame_rate,time_base,has_b_frames,' +
      'field_order,color_space,color_range,color_primaries,color_transfer,chroma_location,start_time,duration,channels,channel_layout,' +
      'sample_rate,bits_per_sample,bits_per_raw_sample,nb_frames,bit_rate',
    'stream_tags=language,title,DURATION,DURATION-eng,BPS,BPS-eng,NUMBER_OF_FRAMES,NUMBER_OF_FRAMES-eng,rotate,timecode,alpha_mode,mimetype',
    'stream_disposition=default,attached_pic,forced,hearing_impaired,visual_impaired,captions,descriptions,dependent',
    'stream_side_data=rotation,displaymatrix,projection,dv_profile,dv_bl_signal_compatibility_id,' +
      'crop_left,crop_right,crop_top,crop_bottom,max_content,max_luminance',
  ].join(':'),
];

const number = z.coerce.number().optional().catch(undefined);

const text = z.string().optional().catch(undefined);

/** The HDR transfer function by ffmpeg's name. */
export function hdrTransferOf(transfer: string | undefined): VideoStream['hdrTransfer'] {
  if (transfer === 'smpte2084') return 'pq';
  return transfer === 'arib-std-b67' ? 'hlg' : undefined;
}

/** The luminance in ffprobe's side data of a stream or a frame, in nits; undefined for 0 and for other text. */
export const luminanceSchema = z.object({
  max_content: z.unknown().optional().transform(readNits),
  max_luminance: z.unknown().optional().transform(readNits),
});

type Luminance = z.output<typeof luminanceSchema>;

/** The first luminance of each kind: frames state theirs before the container does. */
export function hdrMetadataOf(sideData: readonly Luminance[], stated: HdrMetadata = {}): HdrMetadata {
  const content = sideData.find((data) => data.max_content !== undefined)?.max_content;
  const peak = sideData.find((data) => data.max_luminance !== undefined)?.max_luminance;
  return { maxContentNits: content ?? stated.maxContentNits, masteringPeakNits: peak ?? stated.masteringPeakNits };
}

/** `1000` or the ratio `10000000/10000`. */
function readNits(value: unknown): number | undefined {
  const [numerator = Number.NaN, denominator = 1] = String(value).split('/').map(Number);
  const found = numerator / denominator;
  return Number.isFinite(found) && found > 0 ? found : undefined;
}

const streamSchema = z.object({
  index: z.int().min(0),
  id: number,
  codec_type: text,
  codec_name: text,
  profile: text,
  level: number,
  codec_tag_string: text,
  width: number,
  height: number,
  pix_fmt: text,
  sample_aspect_ratio: text,
  avg_frame_rate: text,
  r_frame_rate: text,
  time_base: text,
  has_b_frames: number,
  field_order: text,
  color_space: text,
  color_range: text,
  color_primaries: text,
  color_transfer: text,
  chroma_location: text,
  start_time: number,
  duration: number,
  channels: number,
  channel_layout: text,
  sample_rate: number,
  bits_per_sample: number,
  bits_per_raw_sample: number,
  nb_frames: number,
  bit_rate: number,
  tags: z
    .object({
      language: text,
      title: text,
      DURATION: text,
      'DURATION-eng': text,
      BPS: number,
      'BPS-eng': number,
      NUMBER_OF_FRAMES: number,
      'NUMBER_OF_FRAMES-eng': number,
      rotate: number,
      timecode: text,
      TIMECODE: text,
      alpha_mode: text,
      mimetype: text,
    })
    .optional()
    .catch(undefined),
  disposition: z
    .object({
      default: number,
      attached_pic: number,
      forced: number,
      hearing_impaired: number,
      visual_impaired: number,
      captions: number,
      descriptions: number,
      dependent: number,
    })
    .optional()
    .catch(undefined),
  side_data_list: z
    .array(
      luminanceSchema.extend({
        rotation: number,
        displaymatrix: text,
        projection: text,
        dv_profile: number,
        dv_bl_signal_compatibility_id: number,
        crop_left: number,
        crop_right: number,
        crop_top: number,
        crop_bottom: number,
      }),
    )
    .optional()
    .catch(undefined),
});

/** The output of ffprobe. A missing or invalid field becomes undefined: ffprobe prints `N/A` for unknown values. */
export const ffprobeOutputSchema = z.object({
  streams: z.array(streamSchema),
  // Of MPEG-TS. ffprobe prints them wherever it prints streams.
  programs: z.array(z.object({ streams: z.array(z.object({ index: z.int() })).catch([]) })).catch([]),
  format: z.object({
    format_name: z.string(),
    duration: number,
    size: number,
    start_time: number,
    tags: z.object({ ENCODER: text, timecode: text }).optional().catch(undefined),
  }),
});

export type FfprobeStream = z.output<typeof streamSchema>;
