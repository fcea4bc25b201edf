/** Link to the workbench, where a result is checked on the pages of its file. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface ReviewLinkProps {
  id: string;
  className?: string;
  children: ReactNode;
}

export const ReviewLink = ({ id, className = "underline", children }: ReviewLinkProps) => (
  <Link to="/extractions/$id" params={{ id }} className={className}>
    {children}
  </Link>
);
