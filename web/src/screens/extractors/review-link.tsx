/** Link to the screen where a result is compared with the pages of its file. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface ReviewLinkProps {
  id: string;
  /** Reference of the extractor. Its other results are the previous and next ones in the review. */
  agent: string;
  /**
   * Which results of the extractor are in the queue of the review. Default: those that nobody has
   * reviewed.
   */
  status?: "reviewed" | "all" | undefined;
  /** Path of the value to select. */
  field?: string | undefined;
  className?: string;
  children: ReactNode;
}

export const ReviewLink = ({ id, agent, status, field, className = "underline", children }: ReviewLinkProps) => (
  <Link
    to="/extractions/$id"
    params={{ id }}
    search={{ agent, ...(status !== undefined && { status }), ...(field !== undefined && { field }) }}
    className={className}
  >
    {children}
  </Link>
);
