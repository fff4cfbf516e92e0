import calibration from './calibration.json' with { type: 'json' };

/** Processor seconds of decoding: for each megapixel of frames, and for each megabit of the file. */
export type DecodeCost = { perMegapixel: number; perMegabit: number };

/**
 * An encoder. Its cost is `effort * (perMegapixel + perMegabit * bits per pixel)` for each megapixel at 25 frames per second,
 * and `start` once for each encode.
 */
export type EncodeCost = {
  /** Processor seconds of an encode besides its frames, and those for each megapixel of one frame. */
  start: { seconds: number; perFrameMegapixel: number };
  perMegapixel: number;
  perMegabit: number;
  /** Steps of the CRF above `rate.crf` that halve this time: the encoder ends its search earlier. Without it none do. */
  crfToHalveTime?: number;
  /** Exponent of the frame rate relative to 25: at a higher rate, a frame differs less from the one before. */
  frameRateExponent: number;
  /** Relative to the default, by the value of ffmpeg's option for the encoder: `-preset` or `-cpu-used`. */
  efforts: Readonly<Record<string, number>>;
  /**
   * Predicts bits per pixel: those at `crf`, from a source of 0.1 bits per pixel, in frames of one megapixel, and how they
   * follow each of the three.
   */
  rate: {
    bitsPerPixel: number;
    crf: number;
    /** Steps of the CRF that halve the file. */
    crfToHalve: number;
    /** Exponent of the bits per pixel of the source. */
    sourceExponent: number;
    /** Exponent of the megapixels of a frame: a larger frame has less detail in each pixel. */
    sizeExponent: number;
  };
};

/**
 * Seconds that the workers of a stage take for each second that the cost table predicts, by ffmpeg's name of the video
 * encoder; `other` is for those that no job has measured, and for commands without one. Without a value: 1.
 */
export type EncoderSlowness = Readonly<Record<string, number>>;

/** Processor seconds of ffmpeg's parts on one processor of the machine that `npm run calibrate` ran on. */
export type CostTable = {
  measuredOn: string;
  /** Start and end of one run of ffmpeg. */
  perCommand: number;
  /** By ffprobe's name of the codec. `other` is for codecs without a line. */
  decode: Readonly<Record<string, DecodeCost>>;
  /** Decoding of more than 8 bits relative to 8 bits of the same codec. */
  tenBitDecode: number;
  /** Encoders of videos, by ffmpeg's name. */
  encode: Readonly<Record<string, EncodeCost>>;
  /** Encoders whose time follows the pixels alone, by ffmpeg's name: images and intermediate codecs. */
  encodePerMegapixel: Readonly<Record<string, number>>;
  /**
   * Filters, for each megapixel that they write; `scaleIn` and `palettegen` for each that they read. `other` for filters
   * without a line.
   */
  filterPerMegapixel: Readonly<Record<string, number>>;
  /** The choice of the colours of one palette, besides the reading of its frames. */
  perPalette: number;
  /** Decoding, encoding and filters of audio, for each second of one track. */
  audioPerSecond: Readonly<Record<string, number>>;
  perCopiedGigabyte: number;
  /** Comparison of two decoded videos by VMAF. */
  vmafPerMegapixel: number;
  /** What the workers of a stage measured: it multiplies the commands of an encoder. */
  slowness?: EncoderSlowness;
};

/** The table that `npm run calibrate` wrote. */
export const costTable: CostTable = calibration;

/** The line of a name in a table that has a line `other`. A client names the codec of an estimate, such as `constructor`. */
export function lineOf<Line>(table: Readonly<Record<string, Line>>, name: string): Line {
  const line = Object.hasOwn(table, name) ? table[name] : table.other;
  if (line === undefined) throw new TypeError(`The cost table has no line ${name} and no line other`);
  return line;
}
