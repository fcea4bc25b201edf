/** Routes of SCIM 2.0 (RFC 7644): users, groups, and the description of the service. */
import type { Db } from "../../records/records.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "./discovery.ts";
import type { Resource } from "./patch.ts";
import { ScimError } from "./scim-error.ts";
import * as groups from "./scim-groups.service.ts";
import { attributeSelector, listRequest, listResponse, type ScimQuery } from "./scim-list.ts";
import { groupJson, userJson } from "./scim-resources.ts";
import type { ScimReply, ScimRequest, ScimRoute } from "./scim-route.ts";
import * as users from "./scim-users.service.ts";

export const scimRoutes = ({ db }: { db: Db }): ScimRoute[] => [
  ...discoveryRoutes(),
  ...userRoutes(db),
  ...groupRoutes(db),
];

const ok = (body: Resource): ScimReply => ({ status: 200, body });
const noContent: ScimReply = { status: 204 };

function discoveryRoutes(): ScimRoute[] {
  const all = (resources: readonly Resource[]) =>
    ok(listResponse(resources, { totalResults: resources.length, startIndex: 1 }));
  const one = (resources: readonly Resource[], wanted: string) => {
    const found = resources.find(({ id }) => String(id).toLowerCase() === wanted.toLowerCase());
    if (found === undefined) throw new ScimError(404, "No such resource.");
    return ok(found);
  };
  return [
    { method: "GET", path: "/ServiceProviderConfig", handle: async ({ base }) => ok(serviceProviderConfig(base)) },
    { method: "GET", path: "/ResourceTypes", handle: async ({ base }) => all(resourceTypes(base)) },
    { method: "GET", path: "/ResourceTypes/:id", handle: async ({ base, id }) => one(resourceTypes(base), id) },
    { method: "GET", path: "/Schemas", handle: async ({ base }) => all(schemas(base)) },
    { method: "GET", path: "/Schemas/:id", handle: async ({ base, id }) => one(schemas(base), id) },
  ];
}

function userRoutes(db: Db): ScimRoute[] {
  /** Returns a handler that replies with the user that `work` returns. */
  const withUser = (status: 200 | 201, work: (request: ScimRequest) => Promise<users.ScimUser>) => {
    return async (request: ScimRequest): Promise<ScimReply> => {
      const select = attributeSelector(request.query);
      const json = userJson(await work(request), request.base);
      return { status, body: select(json), ...(status === 201 && { location: `${request.base}/Users/${json.id}` }) };
    };
  };
  return [
    {
      method: "GET",
      path: "/Users",
      handle: async ({ provisioner, query, base }) => {
        const [wanted, select] = [listRequest(query, users.isFilterable), attributeSelector(query)];
        const found = await users.listUsers(db, provisioner, wanted);
        const resources = found.users.map((user) => select(userJson(user, base)));
        return ok(listResponse(resources, { ...found, startIndex: wanted.startIndex }));
      },
    },
    {
      method: "POST",
      path: "/Users",
      handle: withUser(201, ({ provisioner, body }) => users.createUser(db, provisioner, body)),
    },
    {
      method: "GET",
      path: "/Users/:id",
      handle: withUser(200, ({ provisioner, id }) => users.getUser(db, provisioner, id)),
    },
    {
      method: "PUT",
      path: "/Users/:id",
      handle: withUser(200, ({ provisioner, id, body }) => users.replaceUser(db, provisioner, id, body)),
    },
    {
      method: "PATCH",
      path: "/Users/:id",
      handle: withUser(200, ({ provisioner, id, body }) => users.patchUser(db, provisioner, id, body)),
    },
    {
      method: "DELETE",
      path: "/Users/:id",
      handle: async ({ provisioner, id }) => {
        await users.deleteUser(db, provisioner, id);
        return noContent;
      },
    },
  ];
}

function groupRoutes(db: Db): ScimRoute[] {
  /** Returns a handler that replies with the group that `work` returns. */
  const withGroup = (status: 200 | 201, work: (request: ScimRequest) => Promise<groups.ScimGroup>) => {
    return async (request: ScimRequest): Promise<ScimReply> => {
      const select = attributeSelector(request.query);
      const json = groupJson(await work(request), request.base);
      return { status, body: select(json), ...(status === 201 && { location: `${request.base}/Groups/${json.id}` }) };
    };
  };
  const patch = withGroup(200, ({ provisioner, id, body, query }) =>
    groups.patchGroup(db, provisioner, id, body, { withMembers: isShown(query) && wantsMembers(query) }),
  );
  return [
    {
      method: "GET",
      path: "/Groups",
      handle: async ({ provisioner, query, base }) => {
        const [wanted, select] = [listRequest(query, groups.isFilterable), attributeSelector(query)];
        const found = await groups.listGroups(db, provisioner, wanted, { withMembers: wantsMembers(query) });
        const resources = found.groups.map((group) => select(groupJson(group, base)));
        return ok(listResponse(resources, { ...found, startIndex: wanted.startIndex }));
      },
    },
    {
      method: "POST",
      path: "/Groups",
      handle: withGroup(201, ({ provisioner, body }) => groups.createGroup(db, provisioner, body)),
    },
    {
      method: "GET",
      path: "/Groups/:id",
      handle: withGroup(200, ({ provisioner, id, query }) =>
        groups.getGroup(db, provisioner, id, { withMembers: wantsMembers(query) }),
      ),
    },
    {
      method: "PUT",
      path: "/Groups/:id",
      handle: withGroup(200, ({ provisioner, id, body }) => groups.replaceGroup(db, provisioner, id, body)),
    },
    {
      method: "PATCH",
      path: "/Groups/:id",
      handle: async (request) => {
        const reply = await patch(request);
        // Returns the group only if the query asks for it. Otherwise every request that adds one
        // member to a large group would return the whole group.
        return isShown(request.query) ? reply : noContent;
      },
    },
    {
      method: "DELETE",
      path: "/Groups/:id",
      handle: async ({ provisioner, id }) => {
        await groups.deleteGroup(db, provisioner, id);
        return noContent;
      },
    },
  ];
}

/** Returns whether the query of a PATCH asks for the changed group in the response. */
const isShown = ({ attributes }: ScimQuery): boolean => attributes !== undefined;

/** Returns false if the query leaves out the members, which then need not be read. */
const wantsMembers = (query: ScimQuery): boolean => "members" in attributeSelector(query)({ members: [] });
