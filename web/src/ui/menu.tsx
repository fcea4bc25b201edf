/** Menus that a button opens. */
import { Menu as BaseMenu } from "@base-ui/react/menu";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { classes } from "./classes.ts";

interface MenuProps {
  /** The button that opens the menu, such as `<IconButton label="More">…</IconButton>`. */
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "center" | "end";
}

export const Menu = ({ trigger, children, side = "bottom", align = "end" }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger render={trigger} />
    <BaseMenu.Portal>
      <BaseMenu.Positioner side={side} align={align} sideOffset={6} className="z-40">
        <BaseMenu.Popup className="min-w-48 rounded-lg border border-line bg-surface p-1 shadow-xl">
          {children}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);

const itemClasses =
  "flex w-full items-center gap-2.5 rounded-md px-3 py-2 text-left text-[0.93rem] data-highlighted:bg-sunken";

export const MenuItem = ({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof BaseMenu.Item> & { danger?: boolean }) => (
  <BaseMenu.Item className={classes(itemClasses, danger && "text-danger", className as string | undefined)} {...rest} />
);

export const MenuSeparator = () => <BaseMenu.Separator className="my-1 h-px bg-line" />;

interface MenuChoiceProps<Value extends string> {
  label: ReactNode;
  value: Value;
  choices: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
}

/** A group of options, one of which is checked. */
export const MenuChoice = <Value extends string>({ label, value, choices, onChange }: MenuChoiceProps<Value>) => (
  <BaseMenu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-3 pt-2 pb-1 text-[0.8rem] text-muted">{label}</BaseMenu.GroupLabel>
      {choices.map((choice) => (
        <BaseMenu.RadioItem key={choice.value} value={choice.value} closeOnClick className={itemClasses}>
          <span className="w-4 text-accent" aria-hidden>
            {choice.value === value ? "✓" : ""}
          </span>
          {choice.label}
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.Group>
  </BaseMenu.RadioGroup>
);
