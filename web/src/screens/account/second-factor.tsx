/** Turns the second factor on and off: an authenticator app, and recovery codes. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { TotpSetup } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { CodeField, isCodeRequired } from "../../app/code-field.tsx";
import { useErrorWords } from "../../app/error-words.tsx";
import { sendsPassword, sessionQuery } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Failure, Loading } from "../../ui/page.tsx";
import { hasSessionEnded, PasswordInput } from "./password-input.tsx";

const QrCode = lazy(() => import("./qr-code.tsx"));

export function SecondFactor() {
  const { user } = useSession();
  const [open, setOpen] = useState<"setup" | "off">();
  const close = () => setOpen(undefined);
  const isOn = user.second_factor !== "none";
  return (
    <div className="flex flex-col items-start gap-3">
      {isOn ? (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Trans>Authenticator app</Trans>
            <Badge tone="success">
              <Trans>On</Trans>
            </Badge>
          </p>
          <p className="max-w-2xl text-muted">
            <Trans>
              Signing in needs your password and a code of the app. If you have lost your phone and your recovery codes,
              the operator of this service can turn it off for you.
            </Trans>
          </p>
          <Button look="danger" onClick={() => setOpen("off")}>
            <Trans>Turn off</Trans>
          </Button>
        </>
      ) : (
        <>
          <p className="max-w-2xl text-muted">
            <Trans>
              With a second factor nobody can sign in with your password alone: it also takes a code that an
              authenticator app on your phone shows.
            </Trans>
          </p>
          {user.has_password ? (
            <Button onClick={() => setOpen("setup")}>
              <Trans>Set up an authenticator app</Trans>
            </Button>
          ) : (
            <p>
              <Trans>Choose a password first.</Trans>
            </p>
          )}
        </>
      )}
      {open === "setup" && <SetupDialog onClose={close} />}
      {open === "off" && <TurnOffDialog onClose={close} />}
    </div>
  );
}

/** Guides the user through setting up the second factor: password, app, recovery codes. */
function SetupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [setup, setSetup] = useState<TotpSetup>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  // While the recovery codes are shown, the dialog cannot be closed by accident, because they are
  // shown only once.
  const onOpenChange = recoveryCodes === undefined ? onClose : undefined;
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={recoveryCodes === undefined ? t`Set up an authenticator app` : t`Store your recovery codes`}
    >
      {recoveryCodes !== undefined ? (
        <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
      ) : setup !== undefined ? (
        <AppStep setup={setup} onConfirmed={setRecoveryCodes} />
      ) : (
        <PasswordStep onStarted={setSetup} onClose={onClose} />
      )}
    </Dialog>
  );
}

function PasswordStep({ onStarted, onClose }: { onStarted: (setup: TotpSetup) => void; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const queries = useQueryClient();
  const start = useMutation({
    meta: sendsPassword,
    mutationFn: () => sheaf.startTotp({ password }),
    onSuccess: ({ data }) => onStarted(data),
    onError: async (error) => {
      if (await hasSessionEnded(queries, error)) start.reset();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <p className="text-muted">
        <Trans>Confirm that it is you. Have your phone with an authenticator app ready.</Trans>
      </p>
      <PasswordInput value={password} onChange={setPassword} error={start.error} />
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" look="primary" busy={start.isPending}>
          <Trans>Continue</Trans>
        </Button>
      </DialogActions>
    </form>
  );
}

interface AppStepProps {
  setup: TotpSetup;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}

function AppStep({ setup, onConfirmed }: AppStepProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => sheaf.confirmTotp({ code }),
    onSuccess: ({ data }) => {
      onConfirmed(data.recovery_codes);
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      void queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  const isWrong = isCodeRequired(confirm.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <p className="text-muted">
        <Trans>Scan this picture with the app, or type the key into it.</Trans>
      </p>
      <div className="mx-auto size-52 overflow-hidden rounded-md border border-line">
        <Suspense fallback={<Loading />}>
          <QrCode text={setup.uri} label={t`QR code for your authenticator app`} />
        </Suspense>
      </div>
      <CopyText text={setup.secret} label={t`the key`} />
      <CodeField value={code} onChange={setCode} isWrong={isWrong} onlyApp />
      {confirm.error !== null && !isWrong && <Failure message={wordsOf(confirm.error)} />}
      <DialogActions>
        <Button type="submit" look="primary" busy={confirm.isPending}>
          <Trans>Turn on</Trans>
        </Button>
      </DialogActions>
    </form>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useLingui();
  const text = codes.join("\n");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify(t`The recovery codes are copied.`);
    } catch {
      // Browsers allow copying only on pages served over HTTPS.
      notify(t`Your browser does not allow copying here. Download the codes instead.`, "error");
    }
  };
  return (
    <>
      <p className="mb-4">
        <Trans>
          The second factor is on. Without your phone you can sign in with these codes, each once. They are not shown
          again: keep them where only you find them.
        </Trans>
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken px-4 py-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button small autoFocus onClick={copy}>
          <Trans>Copy the codes</Trans>
        </Button>
        <Button small onClick={() => download("sheaf-recovery-codes.txt", `${text}\n`)}>
          <Download size={16} aria-hidden />
          <Trans>Download</Trans>
        </Button>
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          <Trans>I have stored the codes</Trans>
        </Button>
      </DialogActions>
    </>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const turnOff = useMutation({
    meta: sendsPassword,
    mutationFn: () => sheaf.deleteTotp({ password }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      notify(t`The second factor is off.`);
      onClose();
    },
    onError: async (error) => {
      if (await hasSessionEnded(queries, error)) turnOff.reset();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Turn off the second factor?`}
      description={t`Your password alone is then enough to sign in. Your recovery codes become invalid.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          turnOff.mutate();
        }}
      >
        <PasswordInput value={password} onChange={setPassword} error={turnOff.error} />
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="danger" busy={turnOff.isPending}>
            <Trans>Turn off</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
