import * as z from 'zod';
import { luminanceSchema } from './hdr-transfer.ts';

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
