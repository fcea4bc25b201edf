/** The documents of a corpus: folders, states, upload and deletion. */

import { useLingui } from "@lingui/react/macro";
import { getRouteApi } from "@tanstack/react-router";
import { CorpusPage } from "./corpus-page.tsx";
import { Documents } from "./documents.tsx";

const route = getRouteApi("/shell/corpora/$reference/documents");

export function DocumentsScreen() {
  const { t } = useLingui();
  const { reference } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <CorpusPage reference={reference} screen={t`Documents`}>
      <Documents
        key={reference}
        corpus={reference}
        search={search}
        onSearch={(changes) => navigate({ search: (old) => ({ ...old, ...changes }), replace: !("folder" in changes) })}
      />
    </CorpusPage>
  );
}
