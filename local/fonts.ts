import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of the fonts that npm brings: DejaVu, which the image has from Debian. */
export function findFonts(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/package.json'))), 'ttf');
}
