import { ApiError, type Job } from '@media-jobs/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The result of a tool: JSON, as text for models and as data for programs. */
function answer(content: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}

/** Runs a tool. An error is a result that the model reads: what was wrong, where, what to do. */
export async function answering(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return answer(await work());
  } catch (error) {
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const details = (error.details ?? []).map(({ path, message }) => `${path}: ${message}`);
  return [`${error.code}: ${error.message}`, ...details].join('\n');
}

/** What an agent needs of a job: its state, why it ended, and the URLs of its files. */
export function describeJob(job: Job): Record<string, unknown> {
  const { jobId, state, stage, progress, error, warnings, cost, metadata, createdAt, outputStates } = job;
  const files = Object.entries(job.output_files ?? {}).map(([name, file]) => [
    name,
    { url: file.storage_url, filename: file.filename, mimeType: file.mime_type, megabytes: file.size_mbytes },
  ]);
  return {
    ...{ jobId, state, createdAt },
    ...(state === 'processing' && { stage, progress }),
    ...(error && { error }),
    ...(warnings && { warnings }),
    ...(outputStates && { outputStates }),
    ...(cost && { costUsd: cost.usd }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(files.length > 0 && { files: Object.fromEntries(files) }),
  };
}
