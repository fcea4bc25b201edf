/** Example API calls, with the extractor and the service's URL filled in. */

export interface SnippetInput {
  origin: string;
  reference: string;
}

export type SnippetLanguage = "curl" | "typescript" | "python";

export const snippets: Record<SnippetLanguage, (input: SnippetInput) => string> = {
  curl: ({ origin, reference }) => `# The token is valid for an hour.
TOKEN=$(curl -s ${origin}/v2/token \\
  -u "$SHEAF_CLIENT_ID:$SHEAF_CLIENT_SECRET" \\
  -d grant_type=client_credentials | jq -r .access_token)

base64 < document.pdf | tr -d '\\n' \\
  | jq -R '{filename: "document.pdf", file: ., include: ["evidence"]}' \\
  | curl -s ${origin}/v2/extractor/${reference} \\
      -H "x-api-key: $TOKEN" -H "content-type: application/json" -d @-
`,
  typescript: ({ origin, reference }) => `import { SheafClient } from "@sheaf/client";

const sheaf = new SheafClient({
  baseUrl: "${origin}",
  clientId: process.env.SHEAF_CLIENT_ID!,
  clientSecret: process.env.SHEAF_CLIENT_SECRET!,
});

const { data, metadata } = await sheaf.extractWithAgent("${reference}", {
  file: { path: "document.pdf" },
  include: ["evidence"],
});
console.log(data[0], metadata.evidence?.[0]);
`,
  python: ({ origin, reference }) => `import base64, json, os, urllib.parse, urllib.request

def post(path, body, headers):
    request = urllib.request.Request("${origin}" + path, body, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)

token = post("/v2/token", urllib.parse.urlencode({
    "grant_type": "client_credentials",
    "client_id": os.environ["SHEAF_CLIENT_ID"],
    "client_secret": os.environ["SHEAF_CLIENT_SECRET"],
}).encode(), {})["access_token"]

with open("document.pdf", "rb") as file:
    content = base64.b64encode(file.read()).decode()

result = post(
    "/v2/extractor/${reference}",
    json.dumps({"filename": "document.pdf", "file": content, "include": ["evidence"]}).encode(),
    {"x-api-key": token, "content-type": "application/json"},
)
print(result["data"][0], result["metadata"]["evidence"][0])
`,
};
