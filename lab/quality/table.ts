import { table } from '../markdown/table.ts';
import { type Calibration, type CalibrationRow, meanScore, readCalibration } from './calibration.ts';

/** Size, score and processor time of the defaults and of the presets beside them. */
export function qualityTable({ rows }: Calibration = readCalibration()): string {
  return table(
    [
      'Recipe',
      'Codec',
      'Preset',
      '>crf',
      '>VMAF, real clips',
      '>VMAF, generated clips',
      '>kbit/s',
      '>kbit/s at the score of the default',
      '>Processor s',
    ],
    rows.map((row) => {
      const { recipe, codec, preset, crf, realVmaf, generatedVmaf, kbps, processorSeconds, isDefault } = row;
      const mark = (text: string) => (isDefault ? `**${text}**` : text);
      const generatedMean = meanScore(Object.values(generatedVmaf).map((vmaf) => ({ vmaf })));
      return [
        recipe,
        codec,
        mark(preset),
        mark(String(crf)),
        mark(realVmaf?.toFixed(1) ?? ''),
        generatedMean.toFixed(1),
        kbps.toFixed(0),
        kbpsAtDefault(row, rows).toFixed(0),
        processorSeconds.toFixed(2),
      ];
    }),
  );
}

/**
 * The bit rate at which a preset has the score of the codec's default in `transcode`, by the slope between two encodings
 * with the default preset and different crf.
 */
function kbpsAtDefault(row: CalibrationRow, rows: readonly CalibrationRow[]): number {
  const ofCodec = rows.filter(({ codec }) => codec === row.codec);
  const usual = ofCodec.find(({ isDefault, recipe }) => isDefault && recipe === 'transcode');
  const other = ofCodec.find(({ preset, crf }) => preset === usual?.preset && crf !== usual.crf);
  if (usual === undefined || other === undefined) return row.kbps;
  const slope = (Math.log(usual.kbps) - Math.log(other.kbps)) / (usual.vmaf - other.vmaf);
  return row.kbps * Math.exp(slope * (usual.vmaf - row.vmaf));
}
