/**
 * Webhook handler for Next.js, in `app/webhooks/sheaf/route.ts`. Needs the environment variable
 * `WEBHOOK_SECRET`.
 *
 * The signature covers the bytes as received, so the handler must not use `request.json()`.
 * Handlers look the same on every platform that passes a `Request`, such as Hono, Remix, SvelteKit,
 * Deno and workers.
 */
import { verifyWebhook, WebhookVerificationError } from "@sheaf/client";

export async function POST(request: Request): Promise<Response> {
  try {
    const body = await request.arrayBuffer();
    const event = await verifyWebhook(new Uint8Array(body), request.headers, process.env.WEBHOOK_SECRET ?? "");
    // An event may arrive more than once. Process each id only once, and do slow work after the
    // response.
    console.log(event.event, event.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.reason, { status: 401 });
    throw error;
  }
}
