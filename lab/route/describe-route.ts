import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { table } from '../markdown/table.ts';
import type { Route, Routes } from './measure-route.ts';

/** The most that each route executes: source files, functions and lines of these files. */
export const routeLimits = {
  post: { files: 45 },
  transcode: { files: 127, filesOfService: 67, functions: 1_106, lines: 20_100 },
  webhook: { files: 44 },
  chunks: { files: 150 },
} as const satisfies Record<keyof Routes, object>;

const titles = {
  post: '`POST /api/v1/jobs`',
  transcode: 'Compressing a clip of 6 s',
  webhook: 'Delivering a webhook',
  chunks: 'A video in two chunks, over all processes',
} as const;

export type RouteFigures = { files: number; filesOfService: number; functions: number; lines: number };

/** What a route executes in figures. `filesOfService` are those outside the video engine. */
export async function figuresOf(route: Route, root: string): Promise<RouteFigures> {
  const texts = await Promise.all([...route.keys()].map((path) => readFile(join(root, path), 'utf8')));
  return {
    files: route.size,
    filesOfService: filesOfService(route).length,
    functions: [...route.values()].reduce((sum, functions) => sum + functions, 0),
    lines: texts.reduce((lines, text) => lines + text.split('\n').length - 1, 0),
  };
}

/** The files of a route outside the video engine, in their order. */
export function filesOfService(route: Route): string[] {
  return [...route.keys()].filter((path) => !path.startsWith('packages/')).sort();
}

/** The document of the routes: their figures, and the files of the service that process a job. */
export async function describeRoutes(routes: Routes, root: string): Promise<string> {
  const rows: string[][] = [];
  for (const [name, title] of Object.entries(titles)) {
    const { files, filesOfService: ofService, functions, lines } = await figuresOf(routes[name as keyof Routes], root);
    rows.push([title, ...[files, ofService, functions, lines].map((figure) => figure.toLocaleString('en'))]);
  }
  const folders = Map.groupBy(filesOfService(routes.transcode), dirname);
  const list = [...folders].map(
    ([folder, files]) => `- \`${folder}\`: ${files.map((file) => basename(file, '.ts')).join(', ')}`,
  );
  return `# The route of a job through the code

\`npm run route\` measures what a warm function executes and writes this document. A test holds the figures.

${table(['What', 'Files', 'Outside `packages/video`', 'Functions', 'Lines of these files'], rows)}

The files outside the video engine that a transcode executes:

${list.join('\n')}
`;
}
