"""The facts of each C++ source of a target and of what it depends on, an action each, and for each program what is found
in them together:

    bazel build //app --aspects=//tools/bazel:samedevice.bzl%samedevice_aspect --output_groups=samedevice

makes app.samedevice.txt, which is empty where nothing is found. Actions are all there is to it, so remote execution and
remote caches apply: then `--//tools/bazel:samedevice=//:label_of_the_program` names a program that can be sent.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

SamedeviceInfo = provider("What is known of the sources of a target.", fields = ["facts"])

_SOURCES = ["cc", "cpp", "cxx", "C"]

def _flags(target, ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = target[CcInfo].compilation_context
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + getattr(ctx.rule.attr, "copts", []),
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = depset(
            getattr(ctx.rule.attr, "local_defines", []),
            transitive = [context.defines],
        ),
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )

def _facts_of(source, target, ctx, flags):
    facts = ctx.actions.declare_file("_samedevice/%s/%s.facts" % (target.label.name, source.short_path))
    ctx.actions.run(
        executable = ctx.executable._samedevice,
        arguments = ["facts", "-o", facts.path, source.path, "--"] + flags,
        inputs = depset([source], transitive = [target[CcInfo].compilation_context.headers]),
        outputs = [facts],
        use_default_shell_env = True,
        mnemonic = "SamedeviceFacts",
    )
    return facts

def _samedevice_aspect_impl(target, ctx):
    known = [
        dependency[SamedeviceInfo].facts
        for dependency in getattr(ctx.rule.attr, "deps", [])
        if SamedeviceInfo in dependency
    ]
    own = []
    if CcInfo in target:
        flags = _flags(target, ctx)
        own = [
            _facts_of(source, target, ctx, flags)
            for sources in getattr(ctx.rule.attr, "srcs", [])
            for source in sources.files.to_list()
            if source.extension in _SOURCES
        ]
    facts = depset(own, transitive = known)
    if ctx.rule.kind not in ["cc_binary", "cc_test"]:
        return [SamedeviceInfo(facts = facts), OutputGroupInfo(samedevice = depset(own))]
    found = ctx.actions.declare_file(target.label.name + ".samedevice.txt")
    objects = ctx.actions.args()
    objects.add_all(facts)
    ctx.actions.run_shell(
        command = '"$1" link --fail-on=nothing "${@:3}" >"$2"',
        arguments = [ctx.executable._samedevice.path, found.path, objects],
        tools = [ctx.executable._samedevice],
        inputs = facts,
        outputs = [found],
        use_default_shell_env = True,
        mnemonic = "SamedeviceLink",
    )
    return [SamedeviceInfo(facts = facts), OutputGroupInfo(samedevice = depset([found]))]

samedevice_aspect = aspect(
    implementation = _samedevice_aspect_impl,
    attr_aspects = ["deps"],
    attrs = {
        "_samedevice": attr.label(default = "//tools/bazel:samedevice", executable = True, cfg = "exec"),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
