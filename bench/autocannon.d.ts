/** Types of the part of autocannon that the measurements use, because the package has none. */
declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Seconds. */
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
