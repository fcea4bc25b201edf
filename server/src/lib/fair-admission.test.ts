import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "./errors.ts";
import { type Admission, FairAdmission } from "./fair-admission.ts";

const admitted = (admission: FairAdmission, tenant: string): Admission => {
  const place = admission.admit(tenant);
  assert.ok(place);
  return place;
};

test("one tenant may use the whole limit, and no more", () => {
  const admission = new FairAdmission(3);
  const places = [1, 2, 3].map(() => admitted(admission, "a"));
  assert.equal(admission.admit("a"), undefined);
  places[0]?.[Symbol.dispose]();
  places[0]?.[Symbol.dispose]();
  admitted(admission, "a");
  assert.equal(admission.admit("a"), undefined);
});

test("a tenant below its fair share displaces the newest work of the tenant with the most", () => {
  const admission = new FairAdmission(4);
  const places = [1, 2, 3, 4].map(() => admitted(admission, "a"));
  admitted(admission, "b");
  admitted(admission, "b");
  assert.equal(admission.admit("b"), undefined, "each has two");
  assert.equal(admission.admit("a"), undefined);
  assert.deepEqual(
    places.map(({ signal }) => signal.aborted),
    [false, false, true, true],
  );
  const { reason } = places[3]?.signal ?? assert.fail();
  assert.ok(reason instanceof AppError && reason.code === "agent_unavailable");
  admitted(admission, "c");
  assert.ok(places[1]?.signal.aborted);
});

test("admissions never exceed the limit, and a refused tenant has at least as much work as every other tenant", () => {
  const step = fc.record({ tenant: fc.constantFrom("a", "b", "c", "d"), leaves: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
      const admission = new FairAdmission(limit);
      let places: { tenant: string; place: Admission }[] = [];
      const count = (tenant: string) => places.filter((each) => each.tenant === tenant).length;
      for (const { tenant, leaves } of steps) {
        const leaving = leaves ? places.find((each) => each.tenant === tenant) : undefined;
        leaving?.place[Symbol.dispose]();
        places = places.filter((each) => each !== leaving);
        const place = admission.admit(tenant);
        places = places.filter((each) => !each.place.signal.aborted);
        if (place) places.push({ tenant, place });
        else {
          assert.equal(places.length, limit);
          for (const other of ["a", "b", "c", "d"]) assert.ok(count(other) <= count(tenant) + 1);
        }
        assert.ok(places.length <= limit);
      }
    }),
  );
});
