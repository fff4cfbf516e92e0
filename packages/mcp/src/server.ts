import type { MediaJobs } from '@media-jobs/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Budget } from './budget.ts';
import { addCatalogueTools } from './tools/catalogue.ts';
import { addFileTools } from './tools/files.ts';
import { addJobTools } from './tools/jobs.ts';

const instructions = `Processes video, audio and images with a media jobs service. Look up parameters with \`recipes\`, submit a job,
then \`wait\` for it: its \`files\` have signed URLs, valid for an hour by default. A local path is uploaded. \`estimate\` tells the
price before. An error names the argument and what to do.`;

/** A server of the Model Context Protocol whose tools call one service. None deletes anything. */
export function createMcpServer({
  mediaJobs,
  budget,
  version,
}: {
  mediaJobs: MediaJobs;
  budget: Budget;
  version: string;
}): McpServer {
  const server = new McpServer({ name: 'media-jobs', version }, { instructions });
  const context = { server, mediaJobs, budget };
  addFileTools(context);
  addCatalogueTools(context);
  addJobTools(context);
  return server;
}
