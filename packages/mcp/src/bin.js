#!/usr/bin/env node
// Entry point in a checkout, whose TypeScript Node runs as it is. The published package has a bundle: `npm run pack`.
await import('./main.ts');
