import type { Plugin } from 'esbuild';

const noFiles = `
export const CONFIG_PREFIX_SEPARATOR = '.';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
`;

/**
 * Leaves out the SDK's look into `~/.aws` for settings that neither the code nor the environment has: no function has
 * such files, and each cold start would wait for the file system to say so.
 */
export const noSharedFiles: Plugin = {
  name: 'no-shared-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/ }, () => ({
      contents: noFiles,
      loader: 'js',
    }));
  },
};
