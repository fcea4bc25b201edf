/** Shows the data of a query, or its state: loading, failed or empty. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Failure, Loading } from "../../ui/page.tsx";

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const wordsOf = useErrorWords();
  const { data, error, isFetching, refetch } = query;
  if (data === undefined && (error === null || isFetching)) return <Loading />;
  return (
    <>
      {error !== null && (
        <div className="mb-4">
          <Failure message={wordsOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
