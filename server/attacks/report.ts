/** Counts attacks and fails the test if more of them succeeded than are allowed. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";

export interface AttackCounts {
  /** Number of attempts made. */
  tried: number;
  /** Number of attempts that succeeded. */
  succeeded: number;
  /** Maximum number of successes with which the test passes. Default: 0. */
  allowed?: number;
}

/**
 * Prints `name: N tried, M succeeded`. Fails unless at least one was tried and at most `allowed`
 * succeeded.
 */
export function reportAttack(t: TestContext, name: string, { tried, succeeded, allowed = 0 }: AttackCounts): void {
  t.diagnostic(`${name}: ${tried} tried, ${succeeded} succeeded (at most ${allowed} allowed)`);
  assert.ok(tried > 0, `${name}: nothing was tried`);
  assert.ok(succeeded <= allowed, `${name}: ${succeeded} of ${tried} succeeded, at most ${allowed} allowed`);
}
