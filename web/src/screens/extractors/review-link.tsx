/** Link to the screen on which a user compares a result with the pages of its file. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface ReviewLinkProps {
  id: string;
  /**
   * Reference of the extractor. On the review screen, the user can move to the previous and next
   * result of this extractor.
   */
  agent: string;
  /**
   * Which results of the extractor are in the review queue. Default: results that nobody has
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
