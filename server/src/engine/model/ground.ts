/** What a language model says is found again in the Document, or is not said: quotes, values with their quotes, sentences of answers. */
export type { Conventions } from "./ground/conventions.ts";
export { doubtful } from "./ground/fields.ts";
export { follows } from "./ground/follows.ts";
export { type Ground, openGround } from "./ground/ground.ts";
export { AnswerJudge, type ModelSentence } from "./ground/judge.ts";
export { answerSchema, type GroundedRecord, groundRecord, type Rejection } from "./ground/record.ts";
export { isPlain } from "./ground/support.ts";
