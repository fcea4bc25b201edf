/** Link to the workbench, where a result is checked on the pages of its file. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface ReviewLinkProps {
  id: string;
  /** Path of the value to open. */
  field?: string | undefined;
  className?: string;
  children: ReactNode;
}

export const ReviewLink = ({ id, field, className = "underline", children }: ReviewLinkProps) => (
  <Link to="/extractions/$id" params={{ id }} search={field === undefined ? {} : { field }} className={className}>
    {children}
  </Link>
);
