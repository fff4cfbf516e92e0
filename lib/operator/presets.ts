import path from 'node:path';
import { parseArgs } from 'node:util';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { runMain } from '../build/run-main.ts';
import { readSettings } from '../settings/read-settings.ts';
import { resolveStagePresets } from '../settings/stage-presets.ts';

const usage = `Writes <name>@<version>.resolved.json beside each preset of a stage, with all parameters and the defaults of today. Commit both.

  npm run presets -- [--stage dev | --folder FOLDER]
`;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string', default: 'dev' },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const folder = values.folder === undefined ? undefined : path.resolve(values.folder);
  const written = resolveStagePresets(folder ?? readSettings(cdkJson.context.stages, values.stage).presets, new Date());
  console.log(written.length === 0 ? 'Every preset is resolved.' : `Wrote ${written.join(', ')}`);
});
