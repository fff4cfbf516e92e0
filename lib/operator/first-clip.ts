import { parseArgs } from 'node:util';
import { runMain } from '../build/run-main.ts';
import { encodeClip } from './first-clip/encode-clip.ts';

const usage = `Encodes a clip of yours on a deployed stage, and prints the estimate, the cost and a link that plays.

  npm run first-clip -- holiday.mov [--url URL] [--key KEY]

  --url URL  address of the stage (or MEDIA_JOBS_URL)
  --key KEY  API key (or MEDIA_JOBS_KEY, which does not show in process lists)
`;

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      url: { type: 'string', default: process.env.MEDIA_JOBS_URL ?? '' },
      key: { type: 'string', default: process.env.MEDIA_JOBS_KEY ?? '' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return console.log(usage);
  const [file] = positionals;
  if (file === undefined || values.url === '' || values.key === '') throw new Error(usage);
  await encodeClip({ baseUrl: values.url, apiKey: values.key }, file, console.log);
});
