/**
 * Webhook handler for Express: `WEBHOOK_SECRET=whsec_… npx node examples/webhook-express.ts`.
 *
 * The signature covers the bytes as received, so this route reads the raw body. If the application
 * uses a JSON parser for all routes, add it after this route.
 */
import { verifyWebhook, WebhookVerificationError } from "@sheaf/client";
import express from "express";

const { PORT = "9090", WEBHOOK_SECRET = "" } = process.env;
const app = express();

app.post("/webhooks/sheaf", express.raw({ type: () => true, limit: "32mb" }), async (request, response) => {
  try {
    const event = await verifyWebhook(request.body ?? "", request.headers, WEBHOOK_SECRET);
    // An event may arrive more than once. Process each id only once, and do slow work after the
    // response.
    console.log(event.event, event.id);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(401).send(error.reason);
  }
});
app.use(express.json());

app.listen(Number(PORT), "127.0.0.1", () => console.log(`Receiving at port ${PORT}`));
