import { useEffect, useState } from "react";

/** Returns false at first, and true once the component has been mounted for `ms` milliseconds. */
export function useDelayed(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
