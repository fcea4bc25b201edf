/**
 * Example programs that upload to a corpus and ask questions, with the corpus and the service's URL
 * filled in.
 */

export const languages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;
export type Language = keyof typeof languages;

interface Snippets {
  signIn: string;
  upload: string;
  ask: string;
}

export function snippetsFor(language: Language, baseUrl: string, reference: string): Snippets {
  return { curl, typescript, python }[language](baseUrl, reference);
}

const curl = (baseUrl: string, reference: string): Snippets => ({
  signIn: `TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials ${baseUrl}/v2/token |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  upload: `{
  printf '{"filename":"terms.pdf","path":"contracts/2026","file":"'
  base64 < terms.pdf | tr -d '\\n'
  printf '"}'
} | curl -s -H "x-api-key: $TOKEN" -H 'content-type: application/json' \\
  --data-binary @- ${baseUrl}/v2/agents/${reference}/documents`,
  ask: `curl -s -H "x-api-key: $TOKEN" -H 'content-type: application/json' \\
  -d '{"query":"What is the notice period?","include":["citations"]}' \\
  ${baseUrl}/v2/knowledge/${reference}`,
});

const connect = (baseUrl: string) => `import { SheafClient } from "@sheaf/client";

const sheaf = new SheafClient({
  baseUrl: "${baseUrl}",
  clientId: process.env.CLIENT_ID!,
  clientSecret: process.env.CLIENT_SECRET!,
});`;

const typescript = (baseUrl: string, reference: string): Snippets => ({
  signIn: connect(baseUrl),
  upload: `const corpus = "${reference}";
const { data } = await sheaf.uploadDocument(corpus, {
  file: { path: "terms.pdf" },
  path: "contracts/2026",
});
await sheaf.waitForDocument(corpus, data.document_reference);`,
  ask: `const { data: reply } = await sheaf.askKnowledge("${reference}", {
  query: "What is the notice period?",
  include: ["citations"],
});
console.log(reply.answer);
for (const { name, page, quote } of reply.citations ?? []) console.log(name, page, quote);`,
});

const python = (baseUrl: string, reference: string): Snippets => ({
  signIn: `import base64, json, os, urllib.parse, urllib.request

def call(path, body, headers):
    request = urllib.request.Request("${baseUrl}" + path, body, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)

form = urllib.parse.urlencode({
    "grant_type": "client_credentials",
    "client_id": os.environ["CLIENT_ID"],
    "client_secret": os.environ["CLIENT_SECRET"],
}).encode()
token = call("/v2/token", form, {})["access_token"]

def post(path, body):
    headers = {"x-api-key": token, "content-type": "application/json"}
    return call(path, json.dumps(body).encode(), headers)`,
  upload: `with open("terms.pdf", "rb") as file:
    content = base64.b64encode(file.read()).decode()
accepted = post("/v2/agents/${reference}/documents", {
    "filename": "terms.pdf",
    "path": "contracts/2026",
    "file": content,
})
print(accepted["data"]["document_reference"])`,
  ask: `answer = post("/v2/knowledge/${reference}", {
    "query": "What is the notice period?",
    "include": ["citations"],
})["data"]
print(answer["answer"])
for citation in answer["citations"]:
    print(citation["name"], citation["page"], citation["quote"])`,
});
