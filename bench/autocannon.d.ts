/**
 * Type declarations for the load generator autocannon, which ships without type declarations. They
 * cover only what the measurements use.
 */
declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    /** Duration of the run in seconds. */
    duration: number;
    /** Maximum time to wait for a response, in seconds. */
    timeout: number;
    headers: Record<string, string>;
    requests: {
      method: string;
      path: string;
      body?: string;
      onResponse(status: number, body: string, context: object, headers?: Record<string, string>): void;
    }[];
    overallRate?: number;
    ignoreCoordinatedOmission?: boolean;
  }
  interface Run extends PromiseLike<{ errors: number }> {
    on(event: "response", told: (client: unknown, status: number, bytes: number, ms: number) => void): this;
  }
  export default function autocannon(options: Options): Run;
}
