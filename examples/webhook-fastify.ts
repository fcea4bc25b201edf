/**
 * Webhook handler for Fastify: `WEBHOOK_SECRET=whsec_… npx node examples/webhook-fastify.ts`.
 *
 * The signature covers the bytes as received, so the routes of this plugin get raw bodies. Routes
 * outside of the plugin still use Fastify's JSON parser.
 */
import { verifyWebhook, WebhookVerificationError } from "@sheaf/client";
import fastify from "fastify";

const { PORT = "9090", WEBHOOK_SECRET = "" } = process.env;
const app = fastify({ bodyLimit: 32 * 1_048_576 });

app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  webhooks.post<{ Body: Buffer | undefined }>("/webhooks/sheaf", async (request, reply) => {
    try {
      const event = await verifyWebhook(request.body ?? "", request.headers, WEBHOOK_SECRET);
      // An event may arrive more than once. Process each id only once, and do slow work after the
      // response.
      console.log(event.event, event.id);
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(401).send(error.reason);
    }
  });
});

await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`Receiving at port ${PORT}`);
