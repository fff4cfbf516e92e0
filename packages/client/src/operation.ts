import type { ApiContract, Contract, ErrorBody } from '@media-jobs/core/api';
import type * as z from 'zod';
import type { OperationId } from './routes.ts';

export type { ErrorBody };

type ContractOf<Id extends OperationId> = Extract<ApiContract, { id: Id }>;

type Part<C, Name extends string> = C extends { [K in Name]: infer Schema extends z.ZodType } ? Schema : never;
type IfDeclared<Schema, Shape> = [Schema] extends [never] ? unknown : Shape;

type RequestOf<C extends Contract> = IfDeclared<Part<C, 'params'>, { params: z.input<Part<C, 'params'>> }> &
  IfDeclared<Part<C, 'query'>, { query?: Partial<z.output<Part<C, 'query'>>> }> &
  IfDeclared<Part<C, 'headers'>, { headers?: z.input<Part<C, 'headers'>> }> &
  IfDeclared<Part<C, 'body'>, { body: z.input<Part<C, 'body'>> }>;

/** The request of an operation: the parts that its contract declares, and an abort signal. */
export type OperationRequest<Id extends OperationId> = RequestOf<ContractOf<Id>> & { signal?: AbortSignal };

type BodyOf<Response> = Response extends { schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : Response extends { text: readonly string[] }
    ? string
    : undefined;

type StatusOf<C extends Contract> = keyof C['responses'] & number;

export type OperationResponse<Id extends OperationId> = {
  [Status in StatusOf<ContractOf<Id>>]: {
    status: Status;
    headers: Headers;
    body: BodyOf<ContractOf<Id>['responses'][Status]>;
  };
}[StatusOf<ContractOf<Id>>];

type SuccessBody<Response> = Response extends { status: 304 }
  ? never
  : Response extends { body: infer Body }
    ? Body
    : never;

export type OperationResult<Id extends OperationId> = SuccessBody<OperationResponse<Id>>;
