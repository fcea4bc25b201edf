/**
 * Subscriptions on both databases: Stripe events in any order, over HTTP and with their signatures.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Stripe } from "stripe";
import { assignPlan, getLimits, setDefaultPlan, setPlan } from "../src/features/plans/plans.service.ts";
import {
  deleteOldSubscriptions,
  getSubscription,
  linkCustomer,
  takeEvent,
} from "../src/features/plans/subscriptions.service.ts";
import { newId } from "../src/lib/ids.ts";
import { openLog } from "../src/lib/log.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import {
  checkoutObject,
  type SentEvent,
  type SubscriptionState,
  signed,
  stripeEvent,
  subscriptionObject,
  webhookSecret,
} from "./helpers/stripe.ts";

const operator = { operator: "test" };
const path = "/v2/stripe/webhook";
const none = { status: null, billing_cycle: null, current_period_end: null };

describeOverDatabases("subscriptions", (dialect) => {
  let service: TestService;
  before(async () => {
    service = await openTestService(dialect, {
      SHEAF_STRIPE_WEBHOOK_SECRET: webhookSecret,
      SHEAF_STRIPE_PRICES: "price_pro:pro,price_team:team,price_missing:not-made-yet",
    });
    for (const name of ["free", "pro", "team"]) await setPlan(service.db, operator, name, { max_agents: 1 });
  });
  after(() => service[Symbol.asyncDispose]());

  const post = (event: object, options?: Parameters<typeof signed>[1]) => {
    const { payload, signature } = signed(event, options);
    return service.client("").send("POST", path, payload, { "stripe-signature": signature });
  };
  const send = async (event: object) => {
    const answer = await post(event);
    assert.deepEqual([answer.status, answer.body], [200, { status: "success", data: {} }]);
  };
  const subscribed = (type: string, state: SubscriptionState, created?: number) =>
    stripeEvent(`customer.subscription.${type}`, subscriptionObject(state), created);
  const planOf = async ({ id }: Pick<TestOrganization, "id">) => {
    const { name, origin } = await getLimits(service.db, { organizationId: id });
    return name === null ? null : `${name} ${origin}`;
  };
  const shown = async (organization: TestOrganization) =>
    (await organization.administrator.send("GET", "/v2/organization/usage")).body.data.subscription;
  let names = 0;
  const customer = () => `cus_${dialect}${++names}`;

  test("the plan of an organization follows its subscription: checkout, renewal, late payment and end", async () => {
    const organization = await service.organization("Buyer");
    const cus = customer();
    const of = { id: "sub_buyer", customer: cus, price: "price_pro" };
    assert.deepEqual(await shown(organization), none);
    await send(subscribed("created", { ...of, status: "incomplete" }, 1000));
    assert.deepEqual(await shown(organization), none);
    const session = checkoutObject({ customer: cus, client_reference_id: organization.id });
    await send(stripeEvent("checkout.session.completed", session, 1002));
    assert.equal((await shown(organization)).status, "incomplete");
    assert.equal(await planOf(organization), null);
    await send(subscribed("updated", { ...of, status: "active", periodEnd: 1_792_592_000 }, 1001));
    assert.deepEqual(await shown(organization), {
      status: "active",
      billing_cycle: "monthly",
      current_period_end: "2026-10-21T14:13:20.000Z",
    });
    assert.equal(await planOf(organization), "pro subscribed");
    await send(subscribed("updated", { ...of, status: "past_due", price: "price_team", interval: "year" }, 2000));
    assert.deepEqual(
      [(await shown(organization)).billing_cycle, await planOf(organization)],
      ["yearly", "team subscribed"],
    );
    await send(subscribed("deleted", { ...of, status: "canceled" }, 3000));
    assert.deepEqual([(await shown(organization)).status, await planOf(organization)], ["canceled", null]);
    await setDefaultPlan(service.db, operator, "free");
    assert.equal(await planOf(organization), "free default");
    await setDefaultPlan(service.db, operator, null);
  });

  test("metadata of a subscription or checkout names the paying organization; a link made by the operator takes precedence", async () => {
    const [byMetadata, byOperator] = [await service.organization("Metadata"), await service.organization("Operator")];
    const [first, second] = [customer(), customer()];
    const metadata = { organization_id: byMetadata.id };
    await send(subscribed("created", { id: "sub_meta", customer: first, status: "trialing", metadata }));
    assert.equal(await planOf(byMetadata), "pro subscribed");
    await send(subscribed("created", { id: "sub_op", customer: second, status: "active" }));
    assert.equal(await planOf(byOperator), null);
    await linkCustomer(service.db, operator, byOperator.id, second);
    assert.equal(await planOf(byOperator), "pro subscribed");
    await send(
      stripeEvent("checkout.session.completed", checkoutObject({ customer: second, metadata }), 9_000_000_000),
    );
    assert.equal(await planOf(byOperator), "pro subscribed");
    await assert.rejects(linkCustomer(service.db, operator, byOperator.id, "sub_1"), /Stripe customer/);
    await linkCustomer(service.db, operator, byMetadata.id, second);
    assert.equal(await planOf(byOperator), null);
  });

  test("a plan assigned by the operator takes precedence over a subscription", async () => {
    const organization = await service.organization("Friend");
    const metadata = { organization_id: organization.id };
    await send(subscribed("created", { id: "sub_friend", customer: customer(), status: "active", metadata }));
    await assignPlan(service.db, operator, organization.id, "team");
    assert.equal(await planOf(organization), "team assigned");
    await assignPlan(service.db, operator, organization.id, null);
    assert.equal(await planOf(organization), "pro subscribed");
  });

  test("a price that belongs to no plan leaves the plan unchanged; after the plan is created, the same event can be sent again", async () => {
    const organization = await service.organization("Prices");
    const of = { id: "sub_prices", customer: customer(), metadata: { organization_id: organization.id } };
    await send(subscribed("created", { ...of, status: "active" }, 10));
    await send(subscribed("updated", { ...of, status: "past_due", price: "price_of_others" }, 20));
    assert.deepEqual([(await shown(organization)).status, await planOf(organization)], ["past_due", "pro subscribed"]);
    const missing = subscribed("updated", { ...of, status: "active", price: "price_missing" }, 30);
    await send(missing);
    assert.deepEqual([(await shown(organization)).status, await planOf(organization)], ["active", "pro subscribed"]);
    await setPlan(service.db, operator, "not-made-yet", {});
    await send(missing);
    assert.equal(await planOf(organization), "not-made-yet subscribed");
  });

  test("if there are two paid subscriptions, the one created last determines the plan", async () => {
    const organization = await service.organization("Two");
    const metadata = { organization_id: organization.id };
    const [old, young] = [
      { id: "sub_old", customer: customer(), metadata, created: 100 },
      { id: "sub_young", customer: customer(), metadata, created: 200, price: "price_team" },
    ];
    await send(subscribed("created", { ...young, status: "active" }, 200));
    await send(subscribed("created", { ...old, status: "active" }, 100));
    await send(subscribed("deleted", { ...old, status: "canceled" }, 300));
    assert.deepEqual([(await shown(organization)).status, await planOf(organization)], ["active", "team subscribed"]);
    await send(subscribed("deleted", { ...young, status: "canceled" }, 400));
    assert.deepEqual([(await shown(organization)).status, await planOf(organization)], ["canceled", null]);
  });

  test("all billing cycles, and the billing period in the format of older Stripe API versions, are read", async () => {
    const organization = await service.organization("Cycles");
    const of = { id: "sub_cycles", customer: customer(), metadata: { organization_id: organization.id } };
    let at = 0;
    for (const [interval, intervalCount, cycle] of [
      ["month", 12, "yearly"],
      ["month", 3, null],
      ["week", 1, null],
      ["month", 1, "monthly"],
    ] as const) {
      await send(subscribed("updated", { ...of, status: "active", interval, intervalCount }, ++at));
      assert.equal((await shown(organization)).billing_cycle, cycle);
    }
    const { items, ...rest } = subscriptionObject({ ...of, status: "some_new_status" });
    const [{ current_period_end, ...item }] = items.data as [(typeof items.data)[number]];
    const older = { ...rest, current_period_end, items: { ...items, data: [item] } };
    await send(stripeEvent("customer.subscription.updated", older, ++at));
    assert.deepEqual(await shown(organization), {
      status: "some_new_status",
      billing_cycle: "monthly",
      current_period_end: new Date(current_period_end * 1000).toISOString(),
    });
    assert.equal(await planOf(organization), null);
  });

  test("events without a valid, recent signature are refused and change nothing", async () => {
    const organization = await service.organization("Forged");
    const metadata = { organization_id: organization.id };
    const event = subscribed("created", { id: "sub_forged", customer: customer(), status: "active", metadata });
    const seconds = Math.floor(Date.now() / 1000);
    const { payload, signature } = signed(event);
    const headers = (value: string) => ({ "stripe-signature": value });
    const answers = [
      await post(event, { secret: "whsec_another" }),
      await post(event, { timestamp: seconds - 301 }),
      await service.client("").send("POST", path, payload),
      await service.client("").send("POST", path, payload, headers("")),
      await service.client("").send("POST", path, payload, headers(signature.replace("v1=", "v0="))),
      await service.client("").send("POST", path, payload.replace("active", "ACTIVE"), headers(signature)),
      await service.client("").send("POST", path, "", headers(signature)),
      await service.client("").send("POST", path, payload, { ...headers(signature), "content-type": "text/plain" }),
      await service.client("").send("POST", path, "x".repeat(1_048_577), headers(signature)),
      await post({ object: "v2.core.event", id: "evt_thin", type: "v1.billing.meter.no_meter_found" }),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [422, "invalid_request"]);
    assert.ok(!JSON.stringify(answers.map(({ body }) => body)).includes(webhookSecret));
    assert.deepEqual([await shown(organization), await planOf(organization)], [none, null]);
    assert.equal((await service.client("").send("POST", path, payload, headers(signature))).status, 200);
    assert.equal((await shown(organization)).status, "active");
  });

  test("irrelevant events and unknown organizations are accepted without effect", async () => {
    const cus = customer();
    const earlier = await service.db.selectFrom("stripe_customers").selectAll().execute();
    for (const organization of [newId(), "default", "'; drop table plans", "x".repeat(200)])
      await send(
        stripeEvent("checkout.session.completed", checkoutObject({ customer: cus, client_reference_id: organization })),
      );
    await send(stripeEvent("checkout.session.completed", checkoutObject({ customer: null })));
    await send(stripeEvent("checkout.session.completed", checkoutObject({ customer: cus })));
    await send(stripeEvent("invoice.paid", { id: "in_1", object: "invoice", customer: cus }));
    await send(stripeEvent("a.kind.of.tomorrow", { id: "x", object: "y" }));
    assert.deepEqual(await service.db.selectFrom("stripe_customers").selectAll().execute(), earlier);
  });

  test("a subscription whose customer belongs to no organization is deleted after a while, and others are kept", async () => {
    const organization = await service.organization("Remembered");
    const metadata = { organization_id: organization.id };
    await send(subscribed("created", { id: "sub_stranger", customer: customer(), status: "active" }));
    await send(subscribed("created", { id: "sub_fresh", customer: customer(), status: "active" }));
    await send(subscribed("created", { id: "sub_ours", customer: customer(), status: "active", metadata }));
    await service.db
      .updateTable("stripe_subscriptions")
      .set({ updated_at: "2020-01-01T00:00:00.000Z" })
      .where("id", "!=", "sub_fresh")
      .execute();
    await deleteOldSubscriptions(service.db);
    const left = await service.db.selectFrom("stripe_subscriptions").select("id").execute();
    const ids = left.map(({ id }) => id);
    assert.deepEqual(
      [ids.includes("sub_stranger"), ids.includes("sub_fresh"), ids.includes("sub_ours")],
      [false, true, true],
    );
  });

  test("events may arrive in any order and more than once; the newest event determines the result", async () => {
    const { db } = service;
    const prices = new Map([
      ["price_pro", "pro"],
      ["price_team", "team"],
    ]);
    const deps = { db, prices, log: openLog("silent") };
    const moment = fc.integer({ min: 1_790_000_000, max: 1_790_000_006 });
    const state = fc.record({
      status: fc.constantFrom("incomplete", "trialing", "active", "past_due", "unpaid", "canceled", "paused", "new"),
      price: fc.constantFrom("price_pro", "price_team", "price_unknown"),
      interval: fc.constantFrom("month", "year", "week"),
      periodEnd: fc.integer({ min: 1_790_000_000, max: 1_800_000_000 }),
    });
    const change = fc.record({ created: moment, type: fc.constantFrom("updated", "paused", "resumed"), state });
    const history = fc.record({
      began: state,
      changes: fc.array(change, { maxLength: 6 }),
      end: fc.option(fc.record({ created: moment, state })),
      linked: moment,
    });
    const order = fc.infiniteStream(fc.nat());
    let round = 0;
    const property = fc.asyncProperty(history, order, order, async (told, ...orders) => {
      const organization = await service.organization(`Order ${dialect} ${++round}`);
      const finals: unknown[] = [];
      for (const [index, turns] of orders.entries()) {
        const of = { id: `sub_order${round}_${index}`, customer: customer() };
        const events = eventsOf(told, of, organization.id);
        for (const event of shuffledWithRepeats(events, turns)) await takeEvent(deps, event as unknown as Stripe.Event);
        finals.push([await getSubscription(db, { organizationId: organization.id }), await planOf(organization)]);
        assert.deepEqual(finals[index], expected(events), JSON.stringify(events));
        await db.deleteFrom("stripe_customers").where("id", "=", of.customer).execute();
      }
      assert.deepEqual(finals[0], finals[1]);
    });
    await fc.assert(property, { numRuns: 60 });

    interface Told {
      began: SubscriptionState;
      changes: { created: number; type: string; state: SubscriptionState }[];
      end: { created: number; state: SubscriptionState } | null;
      linked: number;
    }

    /**
     * Returns the Stripe events for a generated history. The creation has the earliest time and the
     * deletion the latest; several events may have the same time.
     */
    function eventsOf(told: Told, of: { id: string; customer: string }, organization: string): SentEvent[] {
      const subscription = (type: string, state: SubscriptionState, created: number, place: number) =>
        stripeEvent(`customer.subscription.${type}`, subscriptionObject({ ...state, ...of }), created, `evt_${place}`);
      const session = checkoutObject({ customer: of.customer, client_reference_id: organization });
      return [
        subscription("created", told.began, 1_790_000_000, 0),
        ...told.changes.map(({ type, state, created }, index) => subscription(type, state, created, index + 1)),
        ...(told.end ? [subscription("deleted", { ...told.end.state, status: "canceled" }, 1_790_000_006, 99)] : []),
        stripeEvent("checkout.session.completed", session, told.linked, "evt_c"),
      ];
    }

    /** Returns the events in an order determined by `turns`, each once or twice. */
    function shuffledWithRepeats(events: SentEvent[], turns: Iterator<number>): SentEvent[] {
      const next = (below: number): number => Number(turns.next().value) % below;
      const all = [...events, ...events.filter(() => next(2) === 0)];
      for (let i = all.length - 1; i > 0; i--) {
        const j = next(i + 1);
        [all[i], all[j]] = [all[j] as SentEvent, all[i] as SentEvent];
      }
      return all;
    }

    /**
     * Returns the expected subscription and plan. The newest event determines the status. The
     * newest event with a known price determines the plan.
     */
    function expected(events: SentEvent[]) {
      const rank = { created: 0, deleted: 2 } as Record<string, number>;
      const told = events
        .filter(({ type }) => type.startsWith("customer.subscription."))
        .map((event) => ({
          ...event,
          subscription: event.data.object as ReturnType<typeof subscriptionObject>,
          rank: rank[event.type.split(".").at(-1) ?? ""] ?? 1,
        }))
        .sort((a, b) => a.created - b.created || a.rank - b.rank || (a.id < b.id ? -1 : 1));
      const itemOf = (event: (typeof told)[number]) => event.subscription.items.data[0];
      const last = told.at(-1) as (typeof told)[number];
      const priced = told.findLast((event) => prices.has(itemOf(event)?.price.id ?? ""));
      const interval = itemOf(last)?.price.recurring.interval;
      const plan = priced && prices.get(itemOf(priced)?.price.id ?? "");
      const { status } = last.subscription;
      return [
        {
          status,
          billing_cycle: interval === "month" ? "monthly" : interval === "year" ? "yearly" : null,
          current_period_end: new Date((itemOf(last)?.current_period_end ?? 0) * 1000).toISOString(),
        },
        plan !== undefined && ["active", "trialing", "past_due"].includes(status) ? `${plan} subscribed` : null,
      ];
    }
  });

  test("concurrent events have the same result as consecutive ones", async () => {
    const organization = await service.organization("Burst");
    const of = { id: "sub_burst", customer: customer(), metadata: { organization_id: organization.id } };
    const events = Array.from({ length: 25 }, (_, i) =>
      subscribed(i === 0 ? "created" : "updated", { ...of, status: "active", periodEnd: 1_790_000_000 + i }, 100 + i),
    );
    await Promise.all([...events, ...events].toReversed().map(send));
    assert.equal((await shown(organization)).current_period_end, new Date(1_790_000_024_000).toISOString());
    assert.equal(await planOf(organization), "pro subscribed");
  });
});

describeOverDatabases("a service without Stripe", (dialect) => {
  test("responds with 404 to Stripe events", async () => {
    await using service = await openTestService(dialect);
    const { payload, signature } = signed(stripeEvent("invoice.paid", { id: "in_1", object: "invoice" }));
    const answer = await service.client("").send("POST", path, payload, { "stripe-signature": signature });
    assert.deepEqual([answer.status, answer.body.code], [404, "not_found"]);
  });
});
