import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The security policy knows no data: URLs.
    assetsInlineLimit: 0,
    // Says which files the first page needs, for the check of its size.
    manifest: true,
    modulePreload: { polyfill: false },
  },
});
